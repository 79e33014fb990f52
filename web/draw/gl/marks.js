// @ts-check
import { MARK_FLOATS } from "../marklist.js";
import { Program, QUADS, SHAPES } from "./program.js";

/** @typedef {import("../renderer.js").Layout} Layout */

const VERTEX = `#version 300 es
${QUADS}
layout(location = 0) in vec4 place;
layout(location = 1) in vec4 box;
layout(location = 2) in vec4 tint;
out vec2 local;
out vec2 shadowAt;
flat out vec4 shape;
flat out vec4 paint;

const float ROOM = 18.0;

void main() {
  local = cornerOfQuad() * (box.xy + ROOM);
  mat2 turn = turnBy(place.z, place.w);
  shadowAt = inShadow(local, turn, 1.0);
  shape = box;
  paint = tint;
  gl_Position = onCanvas(place.xy + turn * local);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
${SHAPES}
uniform vec3 shadeColour;
in vec2 local;
in vec2 shadowAt;
flat in vec4 shape;
flat in vec4 paint;
out vec4 colour;

float outline(vec2 p) {
  return roundedBox(p, shape.xy, shape.z);
}

// A band in the holder's colour with a white hem on both sides, and a glow.
vec4 halo(float edge) {
  float wide = clamp(min(shape.x, shape.y) * 0.13, 2.4, 4.0);
  float band = cover(abs(edge - wide) - wide * 0.7);
  float hem = cover(abs(edge - wide) - wide);
  float glow = exp(-max(edge - wide, 0.0) / 4.5) * 0.5 * step(0.0, edge);
  glow *= smoothstep(18.0, 12.0, edge);
  vec3 rgb = mix(paint.rgb, mix(vec3(1.0), paint.rgb, band), hem);
  float seen = max(hem, glow);
  return vec4(rgb * seen, seen);
}

vec4 dashes(float edge) {
  float turn = atan(local.y / shape.y, local.x / shape.x) / 6.28319;
  float gap = smoothstep(0.28, 0.34, abs(fract(turn * 24.0) - 0.5));
  float seen = cover(abs(edge - 4.0) - 1.3) * (1.0 - gap);
  return vec4(paint.rgb * seen, seen);
}

// Lit from above like the rim.
vec4 solid(float edge) {
  float body = cover(edge);
  float reach = min(shape.x, shape.y);
  float height = clamp(local.y / shape.y, -1.0, 1.0);
  float inner = smoothstep(0.0, -reach * 0.55, edge);
  float lit = 0.34 * smoothstep(0.7, -0.9, height) * (0.45 + 0.55 * inner);
  vec3 rgb = mix(paint.rgb, vec3(1.0), lit);
  rgb = mix(rgb, shadeColour, 0.22 * smoothstep(0.1, 1.1, height) + 0.18 * (1.0 - inner) * 0.5);
  float fall = 1.0 - smoothstep(-5.0, 6.0, outline(shadowAt));
  float shadow = fall * fall * 0.34 * (1.0 - body);
  return vec4(rgb * body + shadeColour * shadow, body + shadow);
}

float chance(float seed) {
  return fract(sin(seed * 91.7) * 4375.8);
}

// Jagged lines from top to bottom, at random places. They come one after the other and grow
// downwards, thin at their tips; when the ledge goes, all of them are through.
vec4 cracked(float edge, float broken) {
  float place = local.x / 15.0;
  float line = floor(place) + 40.0 * floor(shape.x);
  float knee = (local.y + shape.y) / 5.0;
  float from = chance(9.0 * line + floor(knee));
  float to = chance(9.0 * line + floor(knee) + 1.0);
  float middle = 0.3 + 0.4 * chance(line + 0.5);
  float away = abs((fract(place) - middle) * 15.0 - (mix(from, to, fract(knee)) - 0.5) * 9.0);
  float grown = clamp(broken * 2.4 - 1.3 * chance(line), 0.0, 1.15);
  float tip = grown - (local.y + shape.y) / (2.0 * shape.y);
  float width = tip > 0.0 ? min(0.5 + 0.9 * broken, 0.3 + 3.0 * tip) : -1.0;
  vec4 whole = solid(edge);
  return mix(whole, vec4(shadeColour * whole.a, whole.a), cover(away - width) * 0.72 * cover(edge));
}

void main() {
  float edge = outline(local);
  if (shape.w > 2.5) {
    colour = cracked(edge, paint.a);
    return;
  }
  if (shape.w < 0.5) colour = solid(edge);
  else if (shape.w < 1.5) colour = halo(edge);
  else colour = dashes(edge);
  colour *= paint.a;
}`;

/** Ledges, rods, and halos around held stickers: each set in one instanced draw call. */
export class Marks {
  #gl;
  #program;
  #array;
  #buffer;

  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.#gl = gl;
    this.#program = new Program(gl, VERTEX, FRAGMENT);
    this.#array = gl.createVertexArray();
    this.#buffer = gl.createBuffer();
    gl.bindVertexArray(this.#array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
    for (const location of [0, 1, 2]) {
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, 4, gl.FLOAT, false, MARK_FLOATS * 4, location * 16);
      gl.vertexAttribDivisor(location, 1);
    }
    gl.bindVertexArray(null);
  }

  /**
   * @param {Layout} layout
   * @param {Float32Array} marks
   * @param {[number, number, number]} shade
   * @returns {number} draw calls
   */
  draw(layout, marks, shade) {
    if (marks.length === 0) return 0;
    const gl = this.#gl;
    const program = this.#program;
    program.use(layout);
    program.tellGravity("light", layout.gravity, 3, 1.5);
    program.tint("shadeColour", shade);
    gl.bindVertexArray(this.#array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
    gl.bufferData(gl.ARRAY_BUFFER, marks, gl.STREAM_DRAW);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, marks.length / MARK_FLOATS);
    gl.bindVertexArray(null);
    return 1;
  }
}
