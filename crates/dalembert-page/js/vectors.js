// Vectors, matrices (column after column) and quaternions (scalar first).

/** @param {number[]} a @param {number[]} b */
export const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
/** @param {number[]} a @param {number[]} b */
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/** @param {number[]} a @param {number} s */
export const times = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
/** @param {number[]} a @param {number[]} b */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** @param {number[]} a @param {number[]} b */
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
/** @param {number[]} a */
export const norm = (a) => Math.hypot(a[0], a[1], a[2]);
/** @param {number[]} a */
export function unit(a) {
  const length = norm(a);
  return length > 0 ? times(a, 1 / length) : [0, 0, 1];
}

/** Some unit vector across another. @param {number[]} a */
export function across(a) {
  const helper = Math.abs(a[0]) < 0.8 ? [1, 0, 0] : [0, 1, 0];
  return unit(cross(a, helper));
}

/** a · b. @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
export function product(a, b) {
  const c = new Float32Array(16);
  for (let j = 0; j < 4; j++) {
    for (let i = 0; i < 4; i++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + i] * b[4 * j + k];
      c[4 * j + i] = sum;
    }
  }
  return c;
}

/** A matrix from axes and origin. @param {number[]} x @param {number[]} y @param {number[]} z @param {number[]} o */
export function frame(x, y, z, o) {
  return new Float32Array([x[0], x[1], x[2], 0, y[0], y[1], y[2], 0, z[0], z[1], z[2], 0, o[0], o[1], o[2], 1]);
}

/** @param {number[]} eye @param {number[]} target @param {number[]} up */
export function lookAt(eye, target, up) {
  const z = unit(minus(eye, target));
  let x = cross(up, z);
  x = norm(x) > 1e-9 ? unit(x) : across(z);
  const y = cross(z, x);
  return new Float32Array([x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dot(x, eye), -dot(y, eye), -dot(z, eye), 1]);
}

/** @param {number} height half of it, at a distance of one @param {number} aspect @param {number} near @param {number} far */
export function perspective(height, aspect, near, far) {
  const f = 1 / height;
  const d = 1 / (near - far);
  return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) * d, -1, 0, 0, 2 * far * near * d, 0]);
}

/** @param {number} height half of it @param {number} aspect @param {number} near @param {number} far */
export function parallel(height, aspect, near, far) {
  const d = 1 / (near - far);
  return new Float32Array([1 / (height * aspect), 0, 0, 0, 0, 1 / height, 0, 0, 0, 0, 2 * d, 0, 0, 0, (far + near) * d, 1]);
}

/** Where a point is on the screen: −1 to 1, and whether it is before the camera. @param {ArrayLike<number>} m @param {number[]} p */
export function projected(m, p) {
  const w = m[3] * p[0] + m[7] * p[1] + m[11] * p[2] + m[15];
  const x = m[0] * p[0] + m[4] * p[1] + m[8] * p[2] + m[12];
  const y = m[1] * p[0] + m[5] * p[1] + m[9] * p[2] + m[13];
  return { x: x / w, y: y / w, seen: w > 0 };
}

/** The axes that a quaternion turns the world's into. @param {number[]} q @returns {number[][]} */
export function axesOf(q) {
  const length = Math.hypot(q[0], q[1], q[2], q[3]) || 1;
  const [w, x, y, z] = [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
}
