// Draws meshes many at a time, with light and shadows, a ground with a grid, and ribbons.
import { there } from "./dom.js";
import { lookAt, parallel, plus, product, times } from "./vectors.js";

const SOLID_VERTEX = `#version 300 es
layout(location=0) in vec3 point; layout(location=1) in vec3 normal;
layout(location=2) in vec4 c0; layout(location=3) in vec4 c1; layout(location=4) in vec4 c2; layout(location=5) in vec4 c3;
layout(location=6) in vec4 paint;
uniform mat4 view; uniform mat4 light;
out vec3 world; out vec3 n; out vec3 own; out vec4 color; out vec4 lit;
void main() {
  world = (mat4(c0, c1, c2, c3) * vec4(point, 1.0)).xyz;
  n = c0.xyz * normal.x / dot(c0.xyz, c0.xyz) + c1.xyz * normal.y / dot(c1.xyz, c1.xyz) + c2.xyz * normal.z / dot(c2.xyz, c2.xyz);
  own = point; color = paint; lit = light * vec4(world, 1.0);
  gl_Position = view * vec4(world, 1.0);
}`;

const SHADE = `
uniform sampler2DShadow shadow; uniform float texel;
float sun(vec4 lit, float bias) {
  vec3 p = lit.xyz / lit.w * 0.5 + 0.5;
  if (p.x < 0.0 || p.x > 1.0 || p.y < 0.0 || p.y > 1.0 || p.z > 1.0) return 1.0;
  float sum = 0.0;
  for (int i = -1; i <= 1; i++) for (int j = -1; j <= 1; j++)
    sum += texture(shadow, vec3(p.xy + 1.3 * texel * vec2(float(i), float(j)), p.z - bias));
  return sum / 9.0;
}`;

const SOLID_FRAGMENT = `#version 300 es
precision highp float; precision highp sampler2DShadow;
in vec3 world; in vec3 n; in vec3 own; in vec4 color; in vec4 lit;
uniform vec3 eye; uniform vec3 sunward; uniform vec3 up; uniform float flat_view;
out vec4 result;
${SHADE}
void main() {
  vec3 m = normalize(n);
  vec3 to = flat_view > 0.5 ? eye : normalize(eye - world);
  if (dot(m, to) < 0.0) m = -m;
  vec3 base = color.rgb * color.rgb;
  float field = color.a > 1.5 ? own.x * own.y * own.z * 4.0 : own.x * own.y;
  float edge = fwidth(field) + 1e-5;
  if (color.a > 0.5 && color.a < 2.5) base *= mix(1.0, 0.52, smoothstep(-edge, edge, field));
  float face = max(dot(m, sunward), 0.0);
  float light = face * (color.a > 2.5 ? 1.0 : face > 0.0 ? sun(lit, 0.0025) : 0.0);
  float sky = 0.5 + 0.5 * dot(m, up);
  vec3 half_way = normalize(sunward + to);
  float gloss = pow(max(dot(m, half_way), 0.0), 48.0) * light * 0.22;
  float rim = pow(1.0 - max(dot(m, to), 0.0), 3.0) * 0.08;
  vec3 shade = base * (mix(0.26, 0.46, sky) + 0.72 * light) + gloss + rim;
  result = vec4(sqrt(clamp(shade, 0.0, 1.0)), 1.0);
}`;

const DEPTH_FRAGMENT = `#version 300 es
precision highp float; out vec4 nothing; void main() { nothing = vec4(1.0); }`;

const GROUND_VERTEX = `#version 300 es
layout(location=0) in vec2 corner;
uniform mat4 view; uniform mat4 light; uniform vec3 origin; uniform vec3 along; uniform vec3 aside; uniform float reach;
out vec3 world; out vec2 place; out vec4 lit;
void main() {
  place = corner * reach;
  world = origin + along * place.x + aside * place.y;
  lit = light * vec4(world, 1.0);
  gl_Position = view * vec4(world, 1.0);
}`;

const GROUND_FRAGMENT = `#version 300 es
precision highp float; precision highp sampler2DShadow;
in vec3 world; in vec2 place; in vec4 lit;
uniform vec3 back; uniform vec3 line; uniform float cell; uniform float reach; uniform float depth; uniform vec2 shift;
out vec4 result;
${SHADE}
float grid(float size) {
  vec2 p = (place + shift) / size;
  vec2 w = fwidth(p) + 1e-6;
  vec2 d = abs(fract(p - 0.5) - 0.5) / w;
  float on = 1.0 - min(min(d.x, d.y), 1.0);
  return on * clamp(0.6 / max(w.x, w.y) * 0.12, 0.0, 1.0);
}
void main() {
  float fade = 1.0 - smoothstep(0.35, 1.0, length(place) / reach);
  float shadowed = 1.0 - sun(lit, 0.0015);
  vec3 color = mix(back, line, (0.32 * grid(cell) + 0.4 * grid(5.0 * cell)) * fade);
  color *= 1.0 - depth * shadowed * fade;
  result = vec4(color, 1.0);
}`;

const RIBBON_VERTEX = `#version 300 es
layout(location=0) in vec4 a; layout(location=1) in vec4 b; layout(location=2) in vec2 corner;
uniform mat4 view; uniform vec2 size; uniform float width;
out float when;
void main() {
  vec4 p = view * vec4(a.xyz, 1.0), q = view * vec4(b.xyz, 1.0);
  vec2 d = (q.xy / q.w - p.xy / p.w) * size;
  float l = length(d);
  vec2 along = l > 1e-6 ? d / l : vec2(1.0, 0.0);
  vec2 off = (vec2(-along.y, along.x) * corner.y + along * (corner.x * 2.0 - 1.0) * 0.5) * width / size;
  vec4 c = mix(p, q, corner.x);
  gl_Position = c + vec4(off * c.w, 0.0, 0.0);
  when = mix(a.w, b.w, corner.x);
}`;

const RIBBON_FRAGMENT = `#version 300 es
precision highp float;
in float when; uniform vec3 color; uniform float now; uniform float memory;
out vec4 result;
void main() {
  float age = (now - when) / memory;
  if (age < 0.0) discard;
  float strength = memory > 1e30 ? 1.0 : 0.15 + 0.65 * max(0.0, 1.0 - age);
  result = vec4(color, strength);
}`;

const SHADOW_SIZE = 2048;

/** @typedef {{vertices: WebGLVertexArrayObject, buffer: WebGLBuffer, count: number, data: Float32Array, used: number}} Batch */
/** @typedef {{vertices: WebGLVertexArrayObject, buffer: WebGLBuffer, segments: number}} Ribbon */

export class Renderer {
  /** @param {HTMLCanvasElement} canvas @param {Record<string, import("./meshes.js").Mesh>} meshes @param {string[]} before names of those that nothing hides */
  constructor(canvas, meshes, before) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: false, preserveDrawingBuffer: true });
    if (!gl) throw new Error("no WebGL2");
    this.gl = gl;
    this.canvas = canvas;
    this.before = before;
    this.solid = this.program(SOLID_VERTEX, SOLID_FRAGMENT);
    this.depth = this.program(SOLID_VERTEX, DEPTH_FRAGMENT);
    this.ground = this.program(GROUND_VERTEX, GROUND_FRAGMENT);
    this.ribbon = this.program(RIBBON_VERTEX, RIBBON_FRAGMENT);
    /** @type {Map<string, Batch>} */
    this.batches = new Map();
    this.shadow = there(gl.createTexture());
    this.target = there(gl.createFramebuffer());
    for (const [name, mesh] of Object.entries(meshes)) this.addMesh(name, mesh);
    this.square = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.square);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
    this.plane = gl.createVertexArray();
    gl.bindVertexArray(this.plane);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    this.strip = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.strip);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, -0.5, 1, -0.5, 0, 0.5, 1, 0.5]), gl.STATIC_DRAW);
    this.makeShadow();
  }

  /** @param {string} vertex @param {string} fragment */
  program(vertex, fragment) {
    const gl = this.gl;
    const program = gl.createProgram();
    for (const [kind, text] of /** @type {[number, string][]} */ ([[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]])) {
      const shader = there(gl.createShader(kind));
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader) || "shader");
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) || "program");
    /** @type {Record<string, WebGLUniformLocation>} */
    const places = {};
    const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
    for (let i = 0; i < count; i++) {
      const { name } = there(gl.getActiveUniform(program, i));
      places[name] = there(gl.getUniformLocation(program, name));
    }
    return { program, places };
  }

  /** @param {string} name @param {import("./meshes.js").Mesh} mesh */
  addMesh(name, mesh) {
    const gl = this.gl;
    const vertices = gl.createVertexArray();
    gl.bindVertexArray(vertices);
    [mesh.points, mesh.normals].forEach((list, place) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(list), gl.STATIC_DRAW);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
    });
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    for (let i = 0; i < 5; i++) {
      gl.enableVertexAttribArray(2 + i);
      gl.vertexAttribPointer(2 + i, 4, gl.FLOAT, false, 80, 16 * i);
      gl.vertexAttribDivisor(2 + i, 1);
    }
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(mesh.triangles), gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    this.batches.set(name, { vertices, buffer, count: mesh.triangles.length, data: new Float32Array(20 * 16), used: 0 });
  }

  makeShadow() {
    const gl = this.gl;
    gl.bindTexture(gl.TEXTURE_2D, this.shadow);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW_SIZE, SHADOW_SIZE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.target);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.shadow, 0);
    gl.drawBuffers([gl.NONE]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  /** A way through points: x, y, z and the time of each. @param {Float32Array} points @returns {Ribbon} */
  makeRibbon(points) {
    const gl = this.gl;
    const vertices = gl.createVertexArray();
    gl.bindVertexArray(vertices);
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, points, gl.STATIC_DRAW);
    for (let i = 0; i < 2; i++) {
      gl.enableVertexAttribArray(i);
      gl.vertexAttribPointer(i, 4, gl.FLOAT, false, 16, 16 * i);
      gl.vertexAttribDivisor(i, 1);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, this.strip);
    gl.enableVertexAttribArray(2);
    gl.vertexAttribPointer(2, 2, gl.FLOAT, false, 0, 0);
    gl.bindVertexArray(null);
    return { vertices, buffer, segments: points.length / 4 - 1 };
  }

  /** Forgets a ribbon. @param {Ribbon} ribbon */
  dropRibbon(ribbon) {
    this.gl.deleteVertexArray(ribbon.vertices);
    this.gl.deleteBuffer(ribbon.buffer);
  }

  /** Other points for a ribbon of as many. @param {Ribbon} ribbon @param {Float32Array} points */
  moveRibbon(ribbon, points) {
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, ribbon.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, points, gl.DYNAMIC_DRAW);
  }

  /** Forgets what was added for the last picture. */
  begin() {
    for (const batch of this.batches.values()) batch.used = 0;
  }

  /**
   * Adds a mesh with these axes, whose lengths are its sizes. A pattern lets one see it turn: 1 of round things, 2 of balls; 3 is in no shadow.
   * @param {string} name @param {number[]} x @param {number[]} y @param {number[]} z @param {number[]} o
   * @param {number[]} color @param {number} pattern
   */
  add(name, x, y, z, o, color, pattern) {
    const batch = there(this.batches.get(name));
    if (20 * (batch.used + 1) > batch.data.length) {
      const larger = new Float32Array(2 * batch.data.length);
      larger.set(batch.data);
      batch.data = larger;
    }
    const data = batch.data;
    let i = 20 * batch.used++;
    for (const axis of [x, y, z]) {
      data[i] = axis[0];
      data[i + 1] = axis[1];
      data[i + 2] = axis[2];
      data[i + 3] = 0;
      i += 4;
    }
    data[i] = o[0];
    data[i + 1] = o[1];
    data[i + 2] = o[2];
    data[i + 3] = 1;
    data[i + 4] = color[0];
    data[i + 5] = color[1];
    data[i + 6] = color[2];
    data[i + 7] = pattern;
  }

  /** Fits the picture to its place on the screen. @param {number} width @param {number} height */
  resize(width, height) {
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
  }

  /** @param {boolean} shown whether this is the picture, not its shadows */
  meshes(shown) {
    const gl = this.gl;
    for (const [name, batch] of this.batches) {
      if (!batch.used) continue;
      const before = shown && this.before.includes(name);
      if (before) gl.depthRange(0, 0.01);
      gl.bindVertexArray(batch.vertices);
      gl.drawElementsInstanced(gl.TRIANGLES, batch.count, gl.UNSIGNED_SHORT, 0, batch.used);
      if (before) gl.depthRange(0, 1);
    }
  }

  /**
   * Draws what was added.
   * @param {{view: Float32Array, eye: number[], flat: boolean, up: number[], sunward: number[], center: number[], radius: number,
   *   back: number[], line: number[], depth: number,
   *   ground: null | {origin: number[], along: number[], aside: number[], reach: number, cell: number, shift: number[]},
   *   ribbons: {ribbon: Ribbon, color: number[], width: number, now: number, memory: number}[]}} picture
   */
  draw(picture) {
    const gl = this.gl;
    for (const batch of this.batches.values()) {
      if (!batch.used) continue;
      gl.bindBuffer(gl.ARRAY_BUFFER, batch.buffer);
      gl.bufferData(gl.ARRAY_BUFFER, batch.data.subarray(0, 20 * batch.used), gl.DYNAMIC_DRAW);
    }
    const sun = plus(picture.center, times(picture.sunward, 3 * picture.radius));
    const light = product(parallel(1.6 * picture.radius, 1, 0.1 * picture.radius, 7 * picture.radius), lookAt(sun, picture.center, picture.up));
    gl.enable(gl.DEPTH_TEST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.target);
    gl.viewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.useProgram(this.depth.program);
    gl.uniformMatrix4fv(this.depth.places.view, false, light);
    this.meshes(false);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(picture.back[0], picture.back[1], picture.back[2], 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.shadow);
    if (picture.ground) this.drawGround(picture, light);
    const places = this.solid.places;
    gl.useProgram(this.solid.program);
    gl.uniformMatrix4fv(places.view, false, picture.view);
    gl.uniformMatrix4fv(places.light, false, light);
    gl.uniform3fv(places.eye, picture.eye);
    gl.uniform1f(places.flat_view, picture.flat ? 1 : 0);
    gl.uniform3fv(places.sunward, picture.sunward);
    gl.uniform3fv(places.up, picture.up);
    gl.uniform1f(places.texel, 1 / SHADOW_SIZE);
    gl.uniform1i(places.shadow, 0);
    this.meshes(true);
    this.drawRibbons(picture);
    gl.bindVertexArray(null);
  }

  /** @param {any} picture @param {Float32Array} light */
  drawGround(picture, light) {
    const gl = this.gl;
    const { program, places } = this.ground;
    const ground = picture.ground;
    gl.useProgram(program);
    gl.uniformMatrix4fv(places.view, false, picture.view);
    gl.uniformMatrix4fv(places.light, false, light);
    gl.uniform3fv(places.origin, ground.origin);
    gl.uniform3fv(places.along, ground.along);
    gl.uniform3fv(places.aside, ground.aside);
    gl.uniform1f(places.reach, ground.reach);
    gl.uniform1f(places.cell, ground.cell);
    gl.uniform2fv(places.shift, ground.shift);
    gl.uniform3fv(places.back, picture.back);
    gl.uniform3fv(places.line, picture.line);
    gl.uniform1f(places.depth, picture.depth);
    gl.uniform1f(places.texel, 1 / SHADOW_SIZE);
    gl.uniform1i(places.shadow, 0);
    gl.bindVertexArray(this.plane);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  /** @param {any} picture */
  drawRibbons(picture) {
    const gl = this.gl;
    const { program, places } = this.ribbon;
    gl.useProgram(program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    gl.uniformMatrix4fv(places.view, false, picture.view);
    gl.uniform2f(places.size, this.canvas.width / 2, this.canvas.height / 2);
    for (const { ribbon, color, width, now, memory } of picture.ribbons) {
      if (ribbon.segments < 1) continue;
      gl.uniform3fv(places.color, color);
      gl.uniform1f(places.width, width);
      gl.uniform1f(places.now, now);
      gl.uniform1f(places.memory, memory);
      gl.bindVertexArray(ribbon.vertices);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, ribbon.segments);
    }
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }
}
