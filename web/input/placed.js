// @ts-check

/** Smaller changes are not seen: a tenth of a degree, and of the picture's units. */
const SMALL_TURN = 0.002;
const SMALL_MOVE = 0.1;
/** Matrices are written in thousandths, because V8 boxes fractions that are passed to the browser. */
const THOUSAND = 1000;

/** A part of the picture that is moved, or turned. Its matrix is written as numbers: a `transform`
 * attribute would be put together and taken apart as text for every picture. */
export class Placed {
  /** Where it is to be moved to, or what to be turned along: in an array, because V8 boxes
   * floats that are passed as arguments. */
  to = new Float64Array(2);
  /** What is shown. */ #shown = new Float64Array(2).fill(NaN);
  #transform;
  #matrix;

  /** @param {Element | null} element */
  constructor(element) {
    const svg = /** @type {SVGGraphicsElement} */ (element);
    const frame = document.createElementNS("http://www.w3.org/2000/svg", "g");
    frame.setAttribute("transform", `scale(${1 / THOUSAND})`);
    svg.replaceWith(frame);
    frame.append(svg);
    this.#transform = /** @type {SVGTransform} */ (svg.transform.baseVal.consolidate());
    this.#matrix = this.#transform.matrix;
    for (const part of /** @type {const} */ (["a", "b", "c", "d", "e", "f"])) {
      this.#matrix[part] = Math.round(THOUSAND * this.#matrix[part]);
    }
    this.#transform.setMatrix(this.#matrix);
  }

  /** Moves it to `to`, if that is far enough to be seen. */
  move() {
    if (!this.#isNews(SMALL_MOVE)) return;
    this.#matrix.e = Math.round(THOUSAND * this.to[0]);
    this.#matrix.f = Math.round(THOUSAND * this.to[1]);
    this.#transform.setMatrix(this.#matrix);
  }

  /** Turns it along `to`, and makes it as long, if that can be seen. */
  turn() {
    if (!this.#isNews(SMALL_TURN)) return;
    const cosine = Math.round(THOUSAND * this.to[0]);
    const sine = Math.round(THOUSAND * this.to[1]);
    this.#matrix.a = this.#matrix.d = cosine;
    this.#matrix.b = sine;
    this.#matrix.c = -sine;
    this.#transform.setMatrix(this.#matrix);
  }

  /** Whether `to` is far enough from what is shown; then it is taken to be shown.
   * @param {number} least */
  #isNews(least) {
    const to = this.to;
    const shown = this.#shown;
    if (Math.abs(shown[0] - to[0]) + Math.abs(shown[1] - to[1]) < least) return false;
    shown[0] = to[0];
    shown[1] = to[1];
    return true;
  }
}
