// @ts-check

/**
 * Keeps the screen awake while the page is visible, where the browser can do that.
 * @returns {() => void} to be called from a gesture: Safari grants it only then
 */
export function keepAwake() {
  const ask = () => {
    if (document.visibilityState !== "visible") return;
    // Refused when the battery is low, for example; then the screen may sleep.
    navigator.wakeLock?.request("screen").catch(() => {});
  };
  // The lock is lost whenever the page is hidden.
  document.addEventListener("visibilitychange", ask);
  ask();
  return ask;
}
