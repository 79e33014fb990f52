// @ts-check
/** @typedef {import("../colour.js").RGB} RGB */
/** @typedef {import("../renderer.js").Layout} Layout */

/** What all fragments need: how far a place is from a box with round corners, and how much of a pixel
 * lies within an edge that is so far away, both in points. */
export const SHAPES = `
uniform float pixelsPerPoint;

float roundedBox(vec2 p, vec2 halfSize, float radius) {
  vec2 q = abs(p) - halfSize + radius;
  return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - radius;
}

float cover(float distance) {
  return clamp(0.5 - distance * pixelsPerPoint, 0.0, 1.0);
}
`;

/** Shader and its uniforms. What is told again without a change costs nothing: a picture needs few. */
export class Program {
  #gl;
  #program;
  /** By name: where it is, and what it was told last.
   * @type {Map<string, { place: WebGLUniformLocation | null, x: number, y: number, rgb: RGB | null }>} */
  #uniforms = new Map();

  /** @param {WebGL2RenderingContext} gl @param {string} vertex GLSL @param {string} fragment GLSL */
  constructor(gl, vertex, fragment) {
    this.#gl = gl;
    const program = gl.createProgram();
    gl.attachShader(program, makeShader(gl, gl.VERTEX_SHADER, vertex));
    gl.attachShader(program, makeShader(gl, gl.FRAGMENT_SHADER, fragment));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
      throw new Error(`WebGL program: ${gl.getProgramInfoLog(program)}`);
    }
    this.#program = program;
  }

  /** What is told and drawn next is of this program; all of them lie in the same place.
   * @param {Layout} layout */
  use(layout) {
    this.#gl.useProgram(this.#program);
    this.tell("canvasPixels", layout.canvasWidth, layout.canvasHeight);
    this.tell("originPixels", layout.left, layout.top);
    this.tell("pixelsPerPoint", layout.pixelsPerPoint);
  }

  /** @param {string} name @param {number} x @param {number} [y] of a vector */
  tell(name, x, y) {
    const uniform = this.#find(name);
    if (uniform.x === x && uniform.y === (y ?? 0)) return;
    uniform.x = x;
    uniform.y = y ?? 0;
    if (y === undefined) this.#gl.uniform1f(uniform.place, x);
    else this.#gl.uniform2f(uniform.place, x, y);
  }

  /** @param {string} name @param {RGB} rgb */
  tint(name, rgb) {
    const uniform = this.#find(name);
    if (uniform.rgb === rgb) return;
    uniform.rgb = rgb;
    this.#gl.uniform3fv(uniform.place, rgb);
  }

  /** @param {string} name */
  #find(name) {
    const known = this.#uniforms.get(name);
    if (known) return known;
    const place = this.#gl.getUniformLocation(this.#program, name);
    const made = { place, x: NaN, y: NaN, rgb: null };
    this.#uniforms.set(name, made);
    return made;
  }
}

/** @param {WebGL2RenderingContext} gl @param {number} type @param {string} source */
function makeShader(gl, type, source) {
  const shader = gl.createShader(type);
  // Null only when the context was lost meanwhile; everything is made again when it returns.
  if (!shader) throw new Error("WebGL context lost");
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) {
    throw new Error(`WebGL shader: ${gl.getShaderInfoLog(shader)}`);
  }
  return shader;
}
