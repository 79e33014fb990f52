// @ts-check
import { rgb } from "../colour.js";
import { Program, SHAPES } from "./program.js";

/** @typedef {import("../renderer.js").Layout} Layout */
/** @typedef {import("../surface.js").FloorColours} FloorColours */

const VERTEX = `#version 300 es
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;
  gl_Position = vec4(corner, 0.0, 1.0);
}`;

// All lengths in points, except where a name says pixels.
const FRAGMENT = `#version 300 es
precision highp float;
uniform vec2 canvasPixels;
uniform vec2 originPixels;
${SHAPES}
uniform vec2 worldSize;
uniform float rimWidth;
uniform float openness;
uniform vec2 gravity;
uniform vec3 floorColour, glowColour, needleColour, rimColour, rimLight, shadeColour;
out vec4 colour;

const float CORNER = 5.0;

// A dot that is drawn out along a direction.
float dash(vec2 p, vec2 direction, float reach, float radius) {
  float along = clamp(dot(p, direction), -reach, reach);
  return length(p - direction * along) - radius;
}

// The floor leans: it is lighter where it has been lifted, darker where things roll to. A field of
// dots is drawn out along everybody's tilt, by how far that is from rest.
vec3 floorAt(vec2 p, vec2 fromCentre) {
  float strength = min(length(gravity), 1.0);
  vec2 direction = strength > 0.001 ? gravity / length(gravity) : vec2(0.0, 1.0);
  float lean = dot(fromCentre, gravity);
  float cell = worldSize.x / 15.0;
  float reach = strength * min(length(gravity - vec2(0.0, 1.0)), 1.0) * cell * 0.26;
  float mark = dash(mod(p, cell) - cell * 0.5, direction, reach, cell * 0.05);
  vec3 plain = mix(floorColour, glowColour, clamp(0.42 - 0.42 * lean, 0.0, 1.0));
  return mix(plain, needleColour, cover(mark) * 0.45);
}

// The rim: a rounded tube, lit from above.
vec3 rimAt(float across, float height) {
  float tube = sin(across * 3.14159);
  float sky = clamp(0.5 - 0.5 * height, 0.0, 1.0);
  vec3 lit = mix(rimColour, rimLight, tube * (0.45 + 0.4 * sky));
  return mix(lit, shadeColour, smoothstep(0.75, 1.0, across) * 0.25);
}

void main() {
  vec2 pixel = vec2(gl_FragCoord.x, canvasPixels.y - gl_FragCoord.y);
  vec2 p = (pixel - originPixels) / pixelsPerPoint;
  vec2 centre = worldSize * 0.5;
  vec2 q = p - centre;
  float wall = roundedBox(q, centre, CORNER);

  // Most pixels lie well inside the rim, or well outside, and need nothing of what follows.
  colour = vec4(0.0);
  if (wall > max(rimWidth * 3.0, openness * 40.0)) return;
  vec3 inside = floorAt(p, q / centre);
  colour = vec4(inside, 1.0);
  if (wall < -40.0 - openness * 60.0) return;

  // The rim's shadow falls into the pit, with the tilt.
  vec2 fallen = q - vec2(0.0, 5.0) - gravity * 7.0;
  float shaded = smoothstep(-26.0, 4.0, roundedBox(fallen, centre, CORNER));
  inside = mix(inside, shadeColour, shaded * shaded * 0.5);
  inside = mix(inside, shadeColour, smoothstep(-4.0, 0.0, wall) * 0.22);

  vec3 rim = rimAt(clamp(wall / rimWidth, 0.0, 1.0), q.y / (centre.y + rimWidth));
  float body = cover(wall - rimWidth);
  float below = roundedBox(q - vec2(0.0, rimWidth * 0.5), centre + rimWidth, CORNER + rimWidth);
  float drop = 1.0 - smoothstep(-rimWidth, rimWidth * 1.4, below);
  float dropAlpha = drop * drop * 0.3 * (1.0 - body);
  vec3 solid = mix(rim, inside, cover(wall));
  vec4 walled = vec4(solid * body + shadeColour * dropAlpha, body + dropAlpha);

  // Without walls the floor has no end: it fades away.
  float far = smoothstep(8.0, -46.0, roundedBox(q, centre, 70.0));
  vec4 endless = vec4(floorAt(p, clamp(q / centre, -1.0, 1.0)), 1.0) * far;
  colour = mix(walled, endless, openness);
}`;

/** The pit itself: floor, dots that show everybody's tilt, rim and its shadow. */
export class Floor {
  #gl;
  #program;
  /** As it was told last, points. */ #rimWidth = NaN;

  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.#gl = gl;
    this.#program = new Program(gl, VERTEX, FRAGMENT);
  }

  /** @param {Layout} layout
   * @param {FloorColours} colours */
  draw(layout, colours) {
    const gl = this.#gl;
    const program = this.#program;
    program.use(layout);
    program.tellPair("worldSize", layout.worldWidth, layout.worldHeight);
    const rimWidth = layout.rimPixels / layout.pixelsPerPoint;
    if (rimWidth !== this.#rimWidth) program.tell("rimWidth", rimWidth);
    this.#rimWidth = rimWidth;
    program.tell("openness", layout.openness);
    program.tellGravity("gravity", layout.gravity, 1, 0);
    program.tint("floorColour", rgb(colours.floor));
    program.tint("glowColour", rgb(colours.glow));
    program.tint("needleColour", rgb(colours.needle));
    program.tint("rimColour", rgb(colours.rim));
    program.tint("rimLight", rgb(colours.rimLight));
    program.tint("shadeColour", rgb(colours.shade));
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }
}
