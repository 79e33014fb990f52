"""What a page keeps: a page for a room that leaks a little is blank after a day."""

# Counts what the browser does not tell: things of WebGL that were made and not deleted, sockets that are
# not closed, timers that have not run yet, and bytes of WebAssembly. What belonged to a lost context is
# gone with it.
TALLY = """
window.tally = (() => {
  const kept = { graphics: new Set(), sockets: new Set(), timers: new Set(), memories: new Set() };
  const gl = WebGL2RenderingContext.prototype;
  for (const name of Object.getOwnPropertyNames(gl)) {
    const [, verb, noun] = /^(create|delete)([A-Z]\\w*)$/.exec(name) ?? [];
    if (!noun) continue;
    const act = gl[name];
    gl[name] = function (...values) {
      const made = act.apply(this, values);
      if (verb === "create") kept.graphics.add(made);
      else kept.graphics.delete(values[0]);
      return made;
    };
  }
  addEventListener("webglcontextlost", () => kept.graphics.clear(), true);
  window.WebSocket = class extends WebSocket {
    constructor(...values) {
      super(...values);
      kept.sockets.add(this);
      this.addEventListener("close", () => kept.sockets.delete(this));
    }
  };
  const { setTimeout: set, clearTimeout: clear, setInterval: repeat, clearInterval: stop } = window;
  window.setTimeout = (action, ...values) => {
    const timer = set((...passed) => (kept.timers.delete(timer), action(...passed)), ...values);
    kept.timers.add(timer);
    return timer;
  };
  window.clearTimeout = timer => (kept.timers.delete(timer), clear(timer));
  window.setInterval = (...values) => {
    const timer = repeat(...values);
    kept.timers.add(timer);
    return timer;
  };
  window.clearInterval = timer => (kept.timers.delete(timer), stop(timer));
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const act = WebAssembly[name];
    WebAssembly[name] = async (...values) => {
      const made = await act.apply(WebAssembly, values);
      const { memory } = (made.instance ?? made).exports;
      if (memory) kept.memories.add(memory);
      return made;
    };
  }
  return () => ({
    graphics: kept.graphics.size, sockets: kept.sockets.size, timers: kept.timers.size,
    wasm: [...kept.memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0),
  });
})();
"""


def watch_footprint(page):
    """To be called before the page is loaded."""
    page.page.add_init_script(TALLY)
    page.devtools.send("Performance.enable")
    return page


def footprint(page):
    """Nodes, listeners and bytes of the heap, and what was counted, by names."""
    page.devtools.send("HeapProfiler.collectGarbage")
    metrics = page.devtools.send("Performance.getMetrics")["metrics"]
    found = {one["name"]: one["value"] for one in metrics}
    told = {"nodes": "Nodes", "listeners": "JSEventListeners", "heap": "JSHeapUsedSize"}
    return {name: found[key] for name, key in told.items()} | page.page.evaluate("window.tally()")
