// @ts-check
// The service worker: keeps one whole build of the page, and opens that when no server answers, or when
// the server has the very same one: then the page and this build's list are all that is asked for.
//
// Nobody ever gets parts of two builds. `build.js` lists what a build consists of, with the sum of each
// file; it is kept whole or not at all, in a cache of its own. A page that a server has sent gets
// everything else from there too, as if there were no worker. A page that was opened from a cache gets
// all of it from that same cache, also after a newer build was kept. Which cache that is is written
// down by the page's number, because browsers end workers at any time and start them again.

/** @typedef {Event & { waitUntil(work: Promise<unknown>): void }} LastingEvent */
/** @typedef {LastingEvent & { request: Request, clientId: string, resultingClientId: string,
 *   respondWith(answer: Promise<Response>): void }} FetchEvent */

/** What a worker has and a page has not.
 * @type {any} */
const worker = self;
worker.importScripts("./build.js");

/** @type {{ version: string, page: string, files: Record<string, string> }} sums in hexadecimal
 * digits; `page` is that of the page as our own server sends it */
const BUILD = worker.BUILD;
/** @type {string} the folder of the page, with its slash */
const SCOPE = worker.registration.scope;
/** Caches are shared by all that is served from here: another folder may hold another pit. */
const PREFIX = `stickerpit ${new URL(SCOPE).pathname} `;
const CACHE = PREFIX + BUILD.version;
/** Which pages were opened from which cache: answers with the cache's name, by the page's number. */
const OPENED = `${PREFIX}opened`;
/** A server that takes longer for its first byte counts as away, ms. */
const PATIENCE = 4000;
/** A page that is just being opened is not listed yet; one is opened within this time, ms. */
const OPENING = 60_000;
/** Files that are fetched at a time: as many connections as a browser has to a server. */
const AT_A_TIME = 6;

/** The page's cache by its number, null for one that came from the server; those that this worker
 * has seen. Pages are few, and browsers end workers that rest.
 * @type {Map<string, string | null>} */
const seen = new Map();

worker.addEventListener("install", (/** @type {LastingEvent} */ event) => {
  event.waitUntil(keep());
});
worker.addEventListener("activate", (/** @type {LastingEvent} */ event) => {
  event.waitUntil(giveUpOthers());
});
worker.addEventListener("fetch", (/** @type {FetchEvent} */ event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(SCOPE)) return;
  if (request.mode === "navigate") {
    if (isPage(request.url)) event.respondWith(open(event));
  } else if (event.clientId !== "" && seen.get(event.clientId) !== null) {
    event.respondWith(serve(event));
  }
});

// MARK: Keeping

/** Keeps this build, if the server has all of it. */
async function keep() {
  const names = Object.keys(BUILD.files);
  const folder = await findFolder();
  /** @type {[string, Response][]} */
  const files = [];
  const fetchNext = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      files.push([name, await file(name, folder)]);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, fetchNext));
  const cache = await caches.open(CACHE);
  try {
    await Promise.all(files.map(([name, answer]) => cache.put(SCOPE + name, answer)));
  } catch (error) {
    await caches.delete(CACHE);
    throw error;
  }
  // Pages that are open keep their cache, so that nobody needs to close them first.
  await worker.skipWaiting();
}

/** Where the server has this build's files: those of our own have a folder for each build, from which
 * the browser has them already if a page of theirs has loaded. */
async function findFolder() {
  const folder = folderOf(BUILD.version);
  const answer = await fetch(`${folder}offline.js`, { cache: "force-cache" });
  return answer.ok ? folder : SCOPE;
}

/** A file as this build has it. What the browser has of loading the page is taken without asking
 * again: the sum tells whether it is the right one.
 * @param {string} name
 * @param {string} folder where it is, but for what says where the page is */
async function file(name, folder) {
  const first = /\.(html|webmanifest)$/.test(name) ? SCOPE : folder;
  /** @type {[string, RequestCache][]} */
  const ways = [[first, "force-cache"], [SCOPE, "reload"]];
  for (const [from, cache] of ways) {
    const answer = await fetch(from + name, { cache });
    const bytes = await answer.arrayBuffer();
    if (!answer.ok || !isListed(name, await sum(bytes))) continue;
    const headers = new Headers(answer.headers);
    // The bytes are unpacked by now.
    headers.delete("Content-Encoding");
    headers.delete("Content-Length");
    headers.delete("Vary");
    return new Response(bytes, { headers });
  }
  throw new Error(`${name} is not the one of build ${BUILD.version}`);
}

/** Whether a file with that sum is one of the build's; of its page there are two, which differ in how
 * they name the others.
 * @param {string} name
 * @param {string} digest */
function isListed(name, digest) {
  return digest === BUILD.files[name] || (name === "index.html" && digest === BUILD.page);
}

/** @param {ArrayBuffer} bytes */
async function sum(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Gives up the builds that no open page is of. */
async function giveUpOthers() {
  const used = new Set([CACHE, OPENED, ...(await usedCaches())]);
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && !used.has(name)) await caches.delete(name);
  }
}

/** The caches of pages that are open; what was written down of others is forgotten. */
async function usedCaches() {
  const opened = await caches.open(OPENED);
  /** @type {{ id: string }[]} */
  const pages = await worker.clients.matchAll({ includeUncontrolled: true });
  const used = new Set();
  for (const request of await opened.keys()) {
    const note = await opened.match(request);
    const { cache, at } = note ? await note.json() : { cache: "", at: 0 };
    const isOpen = pages.some(({ id }) => request.url === noteOf(id));
    if (isOpen || Date.now() - at < OPENING) used.add(cache);
    else await opened.delete(request);
  }
  return used;
}

// MARK: Opening

/** The server's page, or the one that is kept if no server answers or if it is the same.
 * @param {FetchEvent} event */
async function open(event) {
  const { request } = event;
  const id = event.resultingClientId || event.clientId;
  const isSame = isServed();
  // A proxy whose server is gone answers by itself.
  const answer = await Promise.race([fetch(request).catch(() => null), patience()]);
  if (answer && answer.status < 500 && !((await isSame) && (await isOurs(answer.clone())))) {
    seen.set(id, null);
    return answer;
  }
  const page = await caches.match(`${SCOPE}index.html`, { cacheName: CACHE });
  if (!page) return answer ?? Response.error();
  seen.set(id, CACHE);
  const opened = await caches.open(OPENED);
  await opened.put(noteOf(id), new Response(JSON.stringify({ cache: CACHE, at: Date.now() })));
  event.waitUntil(usedCaches());
  return page;
}

/** Whether the server has this very build now, by its list of files and their sums. Without an answer
 * soon it is another one, whose files all come from the server.
 * @returns {Promise<boolean>} */
async function isServed() {
  const ask = async () => {
    const answer = await fetch(`${SCOPE}build.js`, { cache: "no-cache" });
    return answer.ok ? answer.text() : "";
  };
  // The whole body is read: it may break off on its way.
  const list = await Promise.race([ask().catch(() => ""), patience()]);
  return list?.includes(`"${BUILD.version}"`) ?? false;
}

/** Whether a page is the one of this build, byte by byte: between the two answers the files may have
 * been replaced.
 * @param {Response} answer */
async function isOurs(answer) {
  return answer.ok && isListed("index.html", await sum(await answer.arrayBuffer()));
}

/** @returns {Promise<null>} */
function patience() {
  return new Promise((done) => setTimeout(() => done(null), PATIENCE));
}

/** What a page asks for: of its cache, if it was opened from one.
 * @param {FetchEvent} event */
async function serve({ request, clientId }) {
  const cacheName = await cacheOf(clientId);
  if (cacheName === null) return fetch(request);
  const known = await caches.match(keptAs(request.url, cacheName), { cacheName });
  // What the server tells of its world is in no cache.
  return known ?? fetch(request);
}

/** The address under which a file is kept: the one without the build's folder, whichever was asked for.
 * @param {string} url
 * @param {string} cache the build's */
function keptAs(url, cache) {
  const path = url.split(/[?#]/)[0];
  const folder = folderOf(cache.slice(PREFIX.length));
  return path.startsWith(folder) ? SCOPE + path.slice(folder.length) : path;
}

/** @param {string} version of a build */
function folderOf(version) {
  return `${SCOPE}b/${version}/`;
}

/** @param {string} id of a page
 * @returns {Promise<string | null>} */
async function cacheOf(id) {
  const known = seen.get(id);
  if (known !== undefined) return known;
  const note = await caches.match(noteOf(id), { cacheName: OPENED });
  const cache = note ? (await note.json()).cache : null;
  seen.set(id, cache);
  return cache;
}

/** The address under which it is noted where a page came from; nothing is ever fetched from there.
 * @param {string} id of the page */
function noteOf(id) {
  return `${SCOPE}opened/${id}`;
}

/** @param {string} url */
function isPage(url) {
  const path = url.split(/[?#]/)[0];
  return path === SCOPE || path === `${SCOPE}index.html`;
}
