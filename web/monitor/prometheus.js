// @ts-check

/** One line of Prometheus' text format: `name{label="value",…} number`, perhaps with a time. Quoted
 * values may hold anything but a quote that is not escaped. */
const LINE = /^([a-zA-Z_:][\w:]*)(?:\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\})?\s+(\S+)/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** @typedef {{ name: string, labels: Record<string, string>, value: number }} Sample */

/** The samples of a page in Prometheus' text format; comments and what is no sample are left out.
 * @param {string} text
 * @returns {Sample[]} */
export function readSamples(text) {
  const samples = [];
  for (const line of text.split("\n")) {
    const [, name, list = "", number] = LINE.exec(line) ?? [];
    if (name === undefined || Number.isNaN(Number(number))) continue;
    const labels = Object.fromEntries([...list.matchAll(LABEL)].map(([, key, value]) => [key, value]));
    samples.push({ name, labels, value: Number(number) });
  }
  return samples;
}

/** The sum of all samples of a name that have these labels; null if there is none.
 * @param {Sample[]} samples
 * @param {string} name
 * @param {Record<string, string>} labels */
export function sum(samples, name, labels = {}) {
  const wanted = Object.entries(labels);
  const found = samples.filter(
    (sample) => sample.name === name && wanted.every(([key, value]) => sample.labels[key] === value),
  );
  return found.length === 0 ? null : found.reduce((total, { value }) => total + value, 0);
}
