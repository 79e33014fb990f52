// @ts-check

/**
 * Compiles a program and finds its uniforms.
 * @param {WebGL2RenderingContext} gl
 * @param {string} vertex GLSL
 * @param {string} fragment GLSL
 * @returns {{ program: WebGLProgram, uniform: (name: string) => WebGLUniformLocation | null }}
 */
export function makeProgram(gl, vertex, fragment) {
  const program = gl.createProgram();
  gl.attachShader(program, makeShader(gl, gl.VERTEX_SHADER, vertex));
  gl.attachShader(program, makeShader(gl, gl.FRAGMENT_SHADER, fragment));
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(`WebGL program: ${gl.getProgramInfoLog(program)}`);
  }
  /** @type {Map<string, WebGLUniformLocation | null>} */
  const locations = new Map();
  const uniform = (/** @type {string} */ name) => {
    if (!locations.has(name)) locations.set(name, gl.getUniformLocation(program, name));
    return locations.get(name) ?? null;
  };
  return { program, uniform };
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
