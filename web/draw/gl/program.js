// @ts-check
/** @typedef {import("../colour.js").RGB} RGB */
/** @typedef {import("../renderer.js").Layout} Layout */

/** Where a place in the world, in points, is on the canvas. */
export const CANVAS = `
uniform vec2 canvasPixels;
uniform vec2 originPixels;
uniform float pixelsPerPoint;

vec4 onCanvas(vec2 world) {
  vec2 pixel = originPixels + world * pixelsPerPoint;
  return vec4(pixel / canvasPixels * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
}
`;

/** What the vertices of all quads need: where a place is on the canvas, the corner of the quad, how it is
 * turned, and where its shadow lies in it. Lengths are points. */
export const QUADS = `
${CANVAS}
uniform vec2 light;

// -1 or 1 each way.
vec2 cornerOfQuad() {
  return vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
}

mat2 turnBy(float cosine, float sine) {
  return mat2(cosine, sine, -sine, cosine);
}

// The shadow falls along the light, whatever way the quad is turned; what is higher throws it farther.
vec2 inShadow(vec2 local, mat2 turn, float farther) {
  return local - light * farther * turn;
}

`;

/** What all fragments need: how far a place is from a box with round corners, and how much of a pixel
 * lies within an edge at a distance, both in points. */
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

/** A program of shaders, and its uniforms. A value that has not changed is not told again. */
export class Program {
  #gl;
  #program;
  /** By name: where it is, and what it was told last.
   * @type {Map<string, { place: WebGLUniformLocation | null, values: Float32Array, rgb: RGB | null }>} */
  #uniforms = new Map();

  /** @param {WebGL2RenderingContext} gl
   * @param {string} vertex GLSL
   * @param {string} fragment GLSL */
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

  /** Makes this the program that is told values and draws next, and tells it where the pit lies.
   * @param {Layout} layout */
  use(layout) {
    this.#gl.useProgram(this.#program);
    this.tellPair("canvasPixels", layout.canvasWidth, layout.canvasHeight);
    this.tellPair("originPixels", layout.left, layout.top);
    this.tell("pixelsPerPoint", layout.pixelsPerPoint);
  }

  /** Numbers are passed in an array that is kept: V8 would box each by itself.
   * @param {string} name
   * @param {number} x */
  tell(name, x) {
    const { place, values } = this.#find(name, 1);
    if (values[0] === Math.fround(x)) return;
    values[0] = x;
    this.#gl.uniform1fv(place, values);
  }

  /** @param {string} name of a vector
   * @param {number} x
   * @param {number} y */
  tellPair(name, x, y) {
    const { place, values } = this.#find(name, 2);
    if (values[0] === Math.fround(x) && values[1] === Math.fround(y)) return;
    values[0] = x;
    values[1] = y;
    this.#gl.uniform2fv(place, values);
  }

  /** @param {string} name of an array
   * @param {Float32Array} numbers that never change */
  tellAll(name, numbers) {
    const { place, values } = this.#find(name, 1);
    if (values[0] !== numbers[0]) this.#gl.uniform1fv(place, numbers);
    values[0] = numbers[0];
  }

  /** Tells gravity, made longer and moved down.
   * @param {string} name
   * @param {import("../../core/vector.js").Vector} gravity
   * @param {number} factor
   * @param {number} down */
  tellGravity(name, gravity, factor, down) {
    const { place, values } = this.#find(name, 2);
    const x = Math.fround(gravity.x * factor);
    const y = Math.fround(gravity.y * factor + down);
    if (values[0] === x && values[1] === y) return;
    values[0] = x;
    values[1] = y;
    this.#gl.uniform2fv(place, values);
  }

  /** @param {string} name
   * @param {RGB} rgb */
  tint(name, rgb) {
    const uniform = this.#find(name, 0);
    if (uniform.rgb === rgb) return;
    uniform.rgb = rgb;
    this.#gl.uniform3fv(uniform.place, rgb);
  }

  /** @param {string} name
   * @param {number} size how many numbers it is told */
  #find(name, size) {
    const known = this.#uniforms.get(name);
    if (known) return known;
    const place = this.#gl.getUniformLocation(this.#program, name);
    const made = { place, values: new Float32Array(size).fill(NaN), rgb: null };
    this.#uniforms.set(name, made);
    return made;
  }
}

/** @param {WebGL2RenderingContext} gl
 * @param {number} type
 * @param {string} source */
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
