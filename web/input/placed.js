// @ts-check

/** Smaller changes are not seen: a tenth of a degree, and of the picture's units. */
const SMALL_TURN = 0.002;
const SMALL_MOVE = 0.1;

/** A part of the picture that is turned, scaled and moved. Its matrix is written as numbers: a
 * `transform` attribute would be put together and taken apart as text for every picture. */
export class Placed {
  #transform;
  #matrix;
  /** What was written into the matrix: its cosine, sine and place. Numbers that are read from a matrix
   * are objects. */
  #shown = new Float64Array(4).fill(NaN);

  /** @param {Element | null} element */
  constructor(element) {
    const svg = /** @type {SVGGraphicsElement} */ (element);
    this.#transform = /** @type {SVGTransform} */ (svg.transform.baseVal.consolidate());
    this.#matrix = this.#transform.matrix;
  }

  /** Touches the picture only when something has moved so far that it can be seen.
   * @param {number} angle radians @param {number} scale @param {number} x @param {number} y */
  place(angle, scale, x, y) {
    const cosine = Math.cos(angle) * scale;
    const sine = Math.sin(angle) * scale;
    const shown = this.#shown;
    const isTurned = !(Math.abs(shown[0] - cosine) + Math.abs(shown[1] - sine) <= SMALL_TURN);
    if (!isTurned && Math.abs(shown[2] - x) + Math.abs(shown[3] - y) < SMALL_MOVE) return;
    shown[0] = cosine;
    shown[1] = sine;
    shown[2] = x;
    shown[3] = y;
    const matrix = this.#matrix;
    matrix.a = matrix.d = cosine;
    matrix.b = sine;
    matrix.c = -sine;
    matrix.e = x;
    matrix.f = y;
    this.#transform.setMatrix(matrix);
  }
}
