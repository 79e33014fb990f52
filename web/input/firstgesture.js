// @ts-check

/**
 * Calls back with a person's gestures, of which browsers want one before a page may sound, ask for
 * the motion sensor or keep the screen awake: the lifting of a finger or a mouse's button, which
 * counts with all of them, or a key. `first` is called once, `each` every time, because what was
 * allowed can be taken away again.
 * @param {() => void} first
 * @param {() => void} each
 */
export function onGestures(first, each) {
  let isFirst = true;
  const gesture = () => {
    if (isFirst) first();
    isFirst = false;
    each();
  };
  for (const kind of /** @type {const} */ (["pointerup", "keydown"])) {
    addEventListener(kind, gesture, { capture: true, passive: true });
  }
}
