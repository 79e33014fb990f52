// @ts-check

/**
 * What the server takes for one address when it bans: an IPv4 address, or the first half of an IPv6
 * one, which is a household's or a venue's.
 * @param {string} address
 */
export function addressPrefix(address) {
  if (!address.includes(":") || address.includes("/")) return address;
  const [head, tail] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const groups = tail
    ? [...head, ...Array(Math.max(0, 8 - head.length - tail.length)).fill("0"), ...tail]
    : head;
  const first = groups.slice(0, 4).map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""));
  return `${first.join(":")}::/64`;
}
