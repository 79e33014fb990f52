// @ts-check
// The largest file of the page, asked for while its code is still coming. index.html can't ask for it
// by itself: the monitor, which draws figures alone, has no use for it.

if (new URLSearchParams(location.search).get("view") !== "monitor") {
  const link = document.createElement("link");
  Object.assign(link, { rel: "preload", as: "fetch", crossOrigin: "anonymous" });
  link.href = new URL("./pit.wasm", import.meta.url).href;
  document.head.append(link);
}
