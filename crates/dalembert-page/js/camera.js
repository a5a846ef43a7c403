// A camera that turns around what it looks at; without perspective where a plane is looked at straight on.
import { cross, lookAt, minus, norm, parallel, perspective, plus, product, times, unit } from "./vectors.js";

/** Half of the height that is seen, at a distance of one. */
const OPENING = Math.tan((16 * Math.PI) / 180);

/** The camera of a scene. */
export class Camera {
  /** @param {import("./figures.js").Figures} figures @param {any} scene */
  constructor(figures, scene) {
    this.figures = figures;
    this.asked = scene.camera;
    const plane = figures.plane;
    const up = scene.up === null ? (plane ? plane[1] : 2) : scene.up;
    /** The world's axes as the camera sees them: right, up, and towards the viewer. */
    this.up = times(axis(up), scene.down ? -1 : 1);
    if (plane && plane.includes(up)) this.right = axis(plane[0] === up ? plane[1] : plane[0]);
    else this.right = axis((up + 1) % 3);
    this.toward = cross(this.right, this.up);
    /** Width of the picture beside its height. */
    this.aspect = 1.2;
    /** What it looks at, whether straight on, and from where. */
    this.target = [0, 0, 0];
    this.flat = false;
    this.yaw = 0;
    this.pitch = 0;
    this.distance = 1;
    this.home();
  }

  /** Looks as at the beginning. */
  home() {
    const { figures } = this;
    this.target = (figures.travels ? figures.middle(figures.model.begin) : figures.center).slice();
    if (figures.plane) {
      this.flat = true;
      const normal = figures.plane.includes(0) ? (figures.plane.includes(1) ? 2 : 1) : 0;
      const along = Math.abs(this.toward[normal]) > 0.5;
      [this.yaw, this.pitch] = along ? [0, 0] : [0, Math.PI / 2 - 1e-3];
    } else {
      this.flat = false;
      [this.yaw, this.pitch] = [0.62, 0.36];
    }
    this.fit();
    if (this.asked) this.lookFrom(this.asked.from, this.asked.at);
  }

  /** @param {number[]} from @param {number[]} at */
  lookFrom(from, at) {
    const way = minus(from, at);
    this.flat = false;
    this.target = at.slice();
    this.distance = norm(way);
    const [x, y, z] = [this.right, this.up, this.toward].map((a) => a[0] * way[0] + a[1] * way[1] + a[2] * way[2]);
    this.yaw = Math.atan2(x, z);
    this.pitch = Math.atan2(y, Math.hypot(x, z));
  }

  /** Looks along an axis of the camera: from the front, the side or the top. @param {"front"|"side"|"top"} where */
  preset(where) {
    this.target = this.figures.center.slice();
    this.flat = true;
    [this.yaw, this.pitch] = { front: [0, 0], side: [Math.PI / 2, 0], top: [0, Math.PI / 2 - 1e-3] }[where];
    this.fit();
  }

  /** Goes so far away that all is seen: of what travels, what is there at once. */
  fit() {
    const { figures } = this;
    const z = this.direction();
    const right = unit(cross(this.up, z));
    const above = cross(z, right);
    const half = times(minus(figures.high, figures.low), 0.5);
    // What travels may turn on its way: a ball around it is seen.
    const reach = (axis) => (figures.travels ? (this.flat ? 1 : 0.75) * figures.size : axis.reduce((sum, part, k) => sum + Math.abs(part) * half[k], 0));
    const height = Math.max(reach(above), reach(right) / Math.max(0.3, this.aspect), 0.12 * figures.size);
    this.distance = (1.22 * height) / OPENING + (this.flat ? 0 : 0.5 * reach(z));
  }

  /** Toward the camera. */
  direction() {
    const level = plus(times(this.right, Math.sin(this.yaw) * Math.cos(this.pitch)), times(this.toward, Math.cos(this.yaw) * Math.cos(this.pitch)));
    return plus(level, times(this.up, Math.sin(this.pitch)));
  }

  eye() {
    return plus(this.target, times(this.direction(), this.distance));
  }

  /** @param {number} aspect */
  matrix(aspect) {
    const height = OPENING;
    const [near, far] = [0.02 * this.distance, 30 * this.distance + 20 * this.figures.size];
    const lens = this.flat ? parallel(height * this.distance, aspect, -far, far) : perspective(height, aspect, near, far);
    return product(lens, lookAt(this.eye(), this.target, this.up));
  }

  /** @param {number} yaw @param {number} pitch */
  turn(yaw, pitch) {
    this.flat = false;
    this.yaw += yaw;
    this.pitch = Math.max(-1.55, Math.min(1.55, this.pitch + pitch));
  }

  /** Moves what is looked at, by parts of the height of the picture. @param {number} x @param {number} y */
  pan(x, y) {
    const z = this.direction();
    const right = unit(cross(this.up, z));
    const above = cross(z, right);
    const height = 2 * OPENING * this.distance;
    this.target = plus(this.target, plus(times(right, -x * height), times(above, y * height)));
  }

  /** @param {number} factor */
  zoom(factor) {
    const { size } = this.figures;
    this.distance = Math.max(0.05 * size, Math.min(60 * size, this.distance * factor));
  }
}

/** @param {number} k */
function axis(k) {
  return [0, 1, 2].map((i) => (i === k ? 1 : 0));
}
