// @ts-check
import { rgb } from "../colour.js";
import { CANVAS, Program, SHAPES } from "./program.js";

/** @typedef {import("../renderer.js").Layout} Layout */
/** @typedef {import("../surface.js").FloorColours} FloorColours */

// All lengths in points, except where a name says pixels.

// INSIDE is where the rim's light and shadow end, points inside the edge: beyond it there is nothing but the
// floor, which is most of the picture and needs a fraction of the work.
const VERTEX = `#version 300 es
${CANVAS}
uniform vec2 worldSize;
uniform float rimWidth;
uniform float openness;
uniform vec2 gravity;
flat out vec2 direction;
flat out float reach;

const float INSIDE = 40.0;

// A field of dots is drawn out along everybody's tilt, by how far that is from rest.
void tilt() {
  float strength = min(length(gravity), 1.0);
  direction = strength > 0.001 ? gravity / length(gravity) : vec2(0.0, 1.0);
  reach = strength * min(length(gravity - vec2(0.0, 1.0)), 1.0) * worldSize.x / 15.0 * 0.26;
}

// A corner of the world, 0 or 1 each way, or the place outside it at a distance.
vec4 corner(vec2 which, float outside) {
  vec2 world = which * worldSize + (which * 2.0 - 1.0) * outside;
  return onCanvas(world);
}

vec4 innerCorner(vec2 which) {
  return corner(which, -(INSIDE + openness * 60.0));
}

vec4 outerCorner(vec2 which) {
  return corner(which, max(rimWidth * 3.0, openness * 40.0));
}`;

// A strip of two triangles.
const INNER_VERTEX = `${VERTEX}
void main() {
  tilt();
  gl_Position = innerCorner(vec2(gl_VertexID & 1, gl_VertexID >> 1));
}`;

// A strip of eight triangles that goes round: an outer corner, the inner one beside it, and on to the next.
const RIM_VERTEX = `${VERTEX}
void main() {
  tilt();
  int at = (gl_VertexID >> 1) & 3;
  vec2 which = vec2(at == 1 || at == 2, at >= 2);
  gl_Position = (gl_VertexID & 1) == 0 ? outerCorner(which) : innerCorner(which);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
uniform vec2 canvasPixels;
uniform vec2 originPixels;
${SHAPES}
uniform vec2 worldSize;
uniform vec2 gravity;
uniform vec3 floorColour, glowColour, needleColour;
flat in vec2 direction;
flat in float reach;
out vec4 colour;

vec2 place() {
  vec2 pixel = vec2(gl_FragCoord.x, canvasPixels.y - gl_FragCoord.y);
  return (pixel - originPixels) / pixelsPerPoint;
}

// A dot that is drawn out along a direction.
float dash(vec2 p, float radius) {
  float along = clamp(dot(p, direction), -reach, reach);
  return length(p - direction * along) - radius;
}

// The floor leans: it is lighter where it has been lifted, darker where things roll to.
vec3 floorAt(vec2 p, vec2 fromCentre) {
  float lean = dot(fromCentre, gravity);
  float cell = worldSize.x / 15.0;
  float mark = dash(mod(p, cell) - cell * 0.5, cell * 0.05);
  vec3 plain = mix(floorColour, glowColour, clamp(0.42 - 0.42 * lean, 0.0, 1.0));
  return mix(plain, needleColour, cover(mark) * 0.45);
}`;

const INNER_FRAGMENT = `${FRAGMENT}
void main() {
  vec2 p = place();
  vec2 centre = worldSize * 0.5;
  colour = vec4(floorAt(p, (p - centre) / centre), 1.0);
}`;

const RIM_FRAGMENT = `${FRAGMENT}
uniform float rimWidth;
uniform float openness;
uniform vec3 rimColour, rimLight, shadeColour;

const float CORNER = 5.0;

// The rim: a rounded tube, lit from above.
vec3 rimAt(float across, float height) {
  float tube = sin(across * 3.14159);
  float sky = clamp(0.5 - 0.5 * height, 0.0, 1.0);
  vec3 lit = mix(rimColour, rimLight, tube * (0.45 + 0.4 * sky));
  return mix(lit, shadeColour, smoothstep(0.75, 1.0, across) * 0.25);
}

void main() {
  vec2 p = place();
  vec2 centre = worldSize * 0.5;
  vec2 q = p - centre;
  float wall = roundedBox(q, centre, CORNER);
  vec3 inside = floorAt(p, q / centre);

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
  #inner;
  #rim;

  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.#gl = gl;
    this.#inner = new Program(gl, INNER_VERTEX, INNER_FRAGMENT);
    this.#rim = new Program(gl, RIM_VERTEX, RIM_FRAGMENT);
  }

  /** @param {Layout} layout
   * @param {FloorColours} colours
   * @returns {number} draw calls */
  draw(layout, colours) {
    const gl = this.#gl;
    this.#tell(this.#inner, layout, colours);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    const rim = this.#rim;
    this.#tell(rim, layout, colours);
    rim.tint("rimColour", rgb(colours.rim));
    rim.tint("rimLight", rgb(colours.rimLight));
    rim.tint("shadeColour", rgb(colours.shade));
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 10);
    return 2;
  }

  /** What both parts need.
   * @param {Program} program
   * @param {Layout} layout
   * @param {FloorColours} colours */
  #tell(program, layout, colours) {
    program.use(layout);
    program.tellPair("worldSize", layout.worldWidth, layout.worldHeight);
    program.tell("rimWidth", layout.rimPoints);
    program.tell("openness", layout.openness);
    program.tellGravity("gravity", layout.gravity, 1, 0);
    program.tint("floorColour", rgb(colours.floor));
    program.tint("glowColour", rgb(colours.glow));
    program.tint("needleColour", rgb(colours.needle));
  }
}
