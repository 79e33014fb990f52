// @ts-check
import { CORNERS, INSTANCE_FLOATS } from "../../core/wire.js";
import { CURL, FORM_FLOATS, GROWTH, MOST_GROWTH, POP, WIDER } from "../forms.js";
import { COVERS, MOST_REACH } from "../sheet.js";
import { Program, QUADS, SHAPES } from "./program.js";

/** @typedef {import("../renderer.js").Layout} Layout */

// Lengths in points. A quad is a little larger than its sticker, for the shadow around it.
const VERTEX = `#version 300 es
precision highp sampler2DArray;
${QUADS}
layout(location = 0) in vec4 place;   // x, y, cosine, sine
layout(location = 1) in vec4 look;    // width, height, kind, age in seconds
layout(location = 2) in vec2 hand;    // slot, holder
layout(location = 3) in vec4 form;    // lift, squash and its direction, points above its place
uniform float variants;               // pictures by slot; 0: by kind
uniform float popIn;
uniform float corners[${CORNERS.length}];  // by kind, in halves of the shorter side
uniform sampler2DArray sheet;
uniform float cuts;
out vec2 local;
out vec2 shadowAt;
flat out vec2 halfSize;
flat out float layer;
flat out float radius;
out vec2 turned;
flat out float seen;
flat out float lift;
flat out float curl;
flat out float crease;

const float SHADOW_ROOM = 9.0;
// What is peeled off throws its shadow farther.
const float LIFTED_ROOM = 26.0;

float pop(float age) {
  float t = clamp(age / float(${POP.seconds}), 0.0, 1.0) - 1.0;
  return 1.0 + float(${POP.cubic}) * t * t * t + float(${POP.square}) * t * t;
}

void main() {
  lift = form.x;
  float growth = min(float(${GROWTH}), float(${MOST_GROWTH}) / look.x);
  float scale = mix(1.0, pop(look.w), popIn) * (1.0 + lift * growth);
  seen = mix(clamp(look.w / 0.2, 0.0, 1.0), 1.0, popIn);
  halfSize = look.xy * 0.5 * max(scale, 0.0);
  local = cornerOfQuad() * (halfSize + SHADOW_ROOM + LIFTED_ROOM * lift);
  mat2 turn = turnBy(place.z, place.w);
  vec2 away = turn * local;
  // Flatter along the blow, and wider across.
  vec2 axis = vec2(cos(form.z), sin(form.z));
  vec2 along = axis * dot(away, axis);
  away += form.y * (float(${WIDER}) * (away - along) - along);
  vec2 world = place.xy + away - vec2(0.0, form.w);
  turned = turn * (local / max(halfSize, 0.001));
  shadowAt = inShadow(local, turn, 1.0 + 5.0 * lift);
  float kind = look.z;
  // Kinds 16 and 17, card and square, have no pictures among these: snow and cake follow the sixteen.
  layer = variants > 0.0 ? mod(hand.x, variants) : kind > 17.5 ? kind - 2.0 : kind;
  float shorter = min(halfSize.x, halfSize.y);
  radius = corners[int(kind)] * shorter;
  curl = min(shorter * float(${CURL.share}), float(${CURL.most})) * (1.0 + 0.8 * lift);
  float reach = (halfSize.x + halfSize.y - 2.0 * radius) * 0.7071 + radius;
  if (cuts > 0.0) {
    reach = textureLod(sheet, vec3(0.5, 0.5, layer + cuts), 0.0).b * float(${MOST_REACH}) * halfSize.x;
  }
  crease = reach - curl;
  gl_Position = onCanvas(world);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
precision highp sampler2DArray;
uniform sampler2DArray sheet;
${SHAPES}
uniform vec3 shadeColour;
uniform float cuts;                   // pictures that are cut out as drawn; 0: discs and boxes
in vec2 local;
in vec2 shadowAt;
flat in vec2 halfSize;
flat in float layer;
flat in float radius;
in vec2 turned;
flat in float seen;
flat in float lift;
flat in float curl;
flat in float crease;
out vec4 colour;

// The way to the corner that has come off: to the right and up.
const vec2 CORNER = vec2(0.7071, -0.7071);

// Behind the pictures that are cut out stand as many fields of distances (red), which are wider.
float outline(vec2 p) {
  if (cuts > 0.0) {
    float depth = texture(sheet, vec3(p / (float(${2 * COVERS}) * halfSize) + 0.5, layer + cuts)).r;
    return (0.5 - depth) * 2.0 * halfSize.x;
  }
  return roundedBox(p, halfSize, radius);
}

void main() {
  float edge = outline(local);
  vec3 place = vec3(local / (2.0 * halfSize) + 0.5, layer);
  vec4 art = texture(sheet, place, -0.5);
  float body = cover(edge);
  if (cuts > 0.0) {
    // Without the bias that makes the picture sharper: with it the edge would be jagged.
    vec2 within = step(abs(local), halfSize);
    body = texture(sheet, place).a * within.x * within.y;
  }
  vec3 vinyl = art.rgb + (1.0 - art.a);

  // Light from above, whatever way the sticker lies: a soft sheen and a thin darker edge.
  float sheen = clamp(-turned.y - 0.35 * turned.x, -1.0, 1.0);
  vinyl += 0.07 * smoothstep(0.25, 1.0, sheen) - 0.06 * smoothstep(0.1, 1.1, -sheen);
  vinyl *= 1.0 - 0.16 * smoothstep(-1.3, 0.0, edge);

  // A corner curls up: beyond the crease the floor is seen, before it the sticker's white back, which
  // shines where it bends and throws a shadow.
  float beyond = dot(local, CORNER) - crease;
  float flap = outline(local - 2.0 * beyond * CORNER);
  float bend = clamp(-beyond / curl, 0.0, 1.0);
  vinyl *= 1.0 - 0.3 * smoothstep(curl * 0.35, 0.0, flap) * body;
  vinyl = mix(vinyl, vec3(0.76 + 0.3 * sin(3.14159 * sqrt(bend))), cover(flap));
  body *= cover(beyond);

  float fall = 1.0 - smoothstep(-4.0 - 5.0 * lift, 5.0 + 7.0 * lift, outline(shadowAt));
  float shadow = fall * fall * 0.42 * (1.0 - body);
  vec3 lit = clamp(vinyl, 0.0, 1.0);
  colour = vec4(lit * body + shadeColour * shadow, body + shadow) * seen;
}`;

/** All stickers with their shadows in one instanced draw call. */
export class Stickers {
  #gl;
  #program;
  #array;
  #buffer;
  #forms;

  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.#gl = gl;
    this.#program = new Program(gl, VERTEX, FRAGMENT);
    this.#array = gl.createVertexArray();
    this.#buffer = gl.createBuffer();
    gl.bindVertexArray(this.#array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
    for (const [location, size] of [4, 4, 2].entries()) {
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, size, gl.FLOAT, false, INSTANCE_FLOATS * 4, location * 16);
      gl.vertexAttribDivisor(location, 1);
    }
    this.#forms = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#forms);
    gl.vertexAttribPointer(3, FORM_FLOATS, gl.FLOAT, false, FORM_FLOATS * 4, 0);
    gl.vertexAttribDivisor(3, 1);
    gl.bindVertexArray(null);
  }

  /**
   * @param {Layout} layout
   * @param {Float32Array} instances
   * @param {Float32Array} forms theirs, empty while all lie flat
   * @param {WebGLTexture} texture
   * @param {[number, number, number]} shade
   * @param {import("../surface.js").StickerStyle} style whether new stickers may
   *   spring up (otherwise they fade in), how many pictures there are by slot, 0…1, how many are
   *   cut out as they are drawn
   */
  draw(layout, instances, forms, texture, shade, { popIn, variants, cuts }) {
    const count = instances.length / INSTANCE_FLOATS;
    if (count === 0) return;
    const gl = this.#gl;
    const program = this.#program;
    program.use(layout);
    program.tell("popIn", popIn ? 1 : 0);
    program.tellAll("corners", CORNERS);
    program.tell("variants", variants);
    program.tell("cuts", cuts);
    program.tellGravity("light", layout.gravity, 2.5, 1);
    program.tint("shadeColour", shade);
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, texture);
    gl.bindVertexArray(this.#array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
    gl.bufferData(gl.ARRAY_BUFFER, instances, gl.STREAM_DRAW);
    this.#tellForms(forms);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
    gl.bindVertexArray(null);
  }

  /** @param {Float32Array} forms */
  #tellForms(forms) {
    const gl = this.#gl;
    if (forms.length === 0) {
      gl.disableVertexAttribArray(3);
      gl.vertexAttrib4f(3, 0, 0, 0, 0);
      return;
    }
    gl.enableVertexAttribArray(3);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#forms);
    gl.bufferData(gl.ARRAY_BUFFER, forms, gl.STREAM_DRAW);
  }
}
