// Meshes of size one: points with normals, and triangles.
import { cross, minus, unit } from "./vectors.js";

/** @typedef {{points: number[], normals: number[], triangles: number[]}} Mesh */

/** @returns {Mesh} */
function empty() {
  return { points: [], normals: [], triangles: [] };
}

/** Surface of revolution about z: rings of radius, height and normal. @param {number[][]} profile @param {number} parts @param {Mesh} [mesh] */
function turned(profile, parts, mesh = empty()) {
  for (let k = 0; k + 1 < profile.length; k += 2) {
    const first = mesh.points.length / 3;
    for (const [r, z, nr, nz] of [profile[k], profile[k + 1]]) {
      for (let i = 0; i <= parts; i++) {
        const angle = (2 * Math.PI * i) / parts;
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        mesh.points.push(r * c, r * s, z);
        mesh.normals.push(nr * c, nr * s, nz);
      }
    }
    for (let i = 0; i < parts; i++) {
      const [a, b] = [first + i, first + parts + 1 + i];
      mesh.triangles.push(a, a + 1, b, b, a + 1, b + 1);
    }
  }
  return mesh;
}

/** A ball of radius one. */
export function ball() {
  const parts = 24;
  const profile = [];
  for (let i = 0; i < parts; i++) {
    for (const j of [i, i + 1]) {
      const angle = Math.PI * (j / parts - 0.5);
      profile.push([Math.cos(angle), Math.sin(angle), Math.cos(angle), Math.sin(angle)]);
    }
  }
  return turned(profile, 48);
}

/** A cylinder of radius one from z = −1/2 to 1/2; with a bore of this radius. @param {number} [bore] */
export function cylinder(bore = 0) {
  const rings = [[1, -0.5, 1, 0], [1, 0.5, 1, 0], [1, 0.5, 0, 1], [bore, 0.5, 0, 1], [bore, -0.5, 0, -1], [1, -0.5, 0, -1]];
  if (bore > 0) rings.push([bore, 0.5, -1, 0], [bore, -0.5, -1, 0]);
  return turned(rings, 56);
}

/** A cone of radius one at z = 0, its tip at z = 1. */
export function cone() {
  const n = Math.SQRT1_2;
  return turned([[1, 0, n, n], [0, 1, n, n], [0, 0, 0, -1], [1, 0, 0, -1]], 36);
}

/** A box of edge one. */
export function block() {
  const mesh = empty();
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      const first = mesh.points.length / 3;
      for (const [a, b] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
        const p = [0, 0, 0];
        p[axis] = side / 2;
        p[(axis + 1) % 3] = (side * a) / 2;
        p[(axis + 2) % 3] = b / 2;
        const n = [0, 0, 0];
        n[axis] = side;
        mesh.points.push(...p);
        mesh.normals.push(...n);
      }
      mesh.triangles.push(first, first + 1, first + 2, first, first + 2, first + 3);
    }
  }
  return mesh;
}

/** Triangles of a file, each with its own normal. @param {ArrayLike<number>} points @param {ArrayLike<number>} triangles corners by number */
export function faceted(points, triangles) {
  const mesh = empty();
  for (let i = 0; i + 2 < triangles.length; i += 3) {
    const corners = [0, 1, 2].map((k) => Array.from({ length: 3 }, (_, j) => points[3 * triangles[i + k] + j]));
    const n = unit(cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])));
    for (const corner of corners) {
      mesh.triangles.push(mesh.points.length / 3);
      mesh.points.push(...corner);
      mesh.normals.push(...n);
    }
  }
  return mesh;
}

/** A coil of radius one from z = 0 to z = 1, with straight ends. @param {number} turns @param {number} wire its radius */
export function coil(turns, wire) {
  const mesh = empty();
  const along = turns * 20;
  const around = 8;
  const place = (s) => {
    const inner = Math.min(1, Math.max(0, (s - 0.08) / 0.84));
    const radius = Math.min(1, Math.min(s, 1 - s) / 0.08);
    const angle = 2 * Math.PI * turns * inner;
    return [radius * Math.cos(angle), radius * Math.sin(angle), s];
  };
  for (let i = 0; i <= along; i++) {
    const s = i / along;
    const p = place(s);
    const angle = 2 * Math.PI * turns * Math.min(1, Math.max(0, (s - 0.08) / 0.84));
    const outward = [Math.cos(angle), Math.sin(angle), 0];
    for (let k = 0; k < around; k++) {
      const a = (2 * Math.PI * k) / around;
      const n = [outward[0] * Math.cos(a), outward[1] * Math.cos(a), Math.sin(a)];
      mesh.points.push(p[0] + wire * n[0], p[1] + wire * n[1], p[2] + 0.1 * wire * n[2]);
      mesh.normals.push(...n);
    }
  }
  for (let i = 0; i < along; i++) {
    for (let k = 0; k < around; k++) {
      const a = i * around + k;
      const b = i * around + ((k + 1) % around);
      mesh.triangles.push(a, b, a + around, a + around, b, b + around);
    }
  }
  return mesh;
}
