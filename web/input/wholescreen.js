// @ts-check

/** Gives the pit a phone's whole screen, and keeps the picture from turning while the phone is
 * tilted, where the browser offers that; an iPhone doesn't. To be called by a gesture. Somebody who
 * leaves the whole screen is not brought back. */
export async function fillScreen() {
  const isApp = !matchMedia("(display-mode: browser)").matches;
  try {
    if (!isApp) await document.documentElement.requestFullscreen?.({ navigationUI: "hide" });
    // The type checker's library does not know it any more; Safari and desktop browsers don't have
    // it.
    const orientation = /** @type {{ type: string, lock?: (type: string) => Promise<void> }} */ (
      /** @type {unknown} */ (screen.orientation)
    );
    await orientation?.lock?.(orientation.type);
  } catch {
    // The browser refuses; the pit is played as it is.
  }
}
