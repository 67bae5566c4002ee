import type { Placed, Vector } from '../../placing.ts';
import { stillLives } from '../../still-life.ts';

// Traits as objects.frag reads them: kind, seed, unused, reach of the object in its own sizes.
function core(at: Vector, size: number, turned: Vector, seed = 1): Placed {
  return { at, size, turned, traits: [0, seed, 0, 1.3] };
}

function standing(x: number, z: number, size: number, seed: number, floor = -1.15): Placed {
  return core([x, floor + size * 1.08, z], size, [0, seed * 2.1, 0], seed);
}

function rack(at: Vector, size: number, yaw: number): Placed {
  return { at, size, turned: [0, yaw, 0], traits: [1, 0, 0, 2] };
}

function racked(floor: number, places: readonly [number, number, number][]): Placed[] {
  return places.map(([x, z, up], i) => standing(x, z, 0.6, i + 3, floor + up));
}

export const cores = stillLives('ironvale', {
  '1': { zoom: 1.95, things: [core([0, 0.02, 0], 1.12, [-0.28, 0.5, -0.36])] },
  '2': {
    zoom: 1.68,
    lift: 0.05,
    things: [
      core([-0.42, 0.16, 0.2], 0.98, [-0.1, 0.4, 0.16], 1),
      core([0.72, -0.42, -0.35], 0.8, [-0.2, 1.5, -1.15], 4),
    ],
  },
  '3': {
    zoom: 1.5,
    lift: -0.12,
    things: [
      standing(-0.72, 0.15, 0.86, 1),
      standing(0.66, 0.3, 0.86, 2),
      core([0.02, 0.72, 0.35], 0.86, [-0.15, 0.7, -0.12], 3),
      core([0.1, -0.72, -0.85], 0.62, [0.1, 0.9, 1.42], 5),
    ],
  },
  '4': {
    zoom: 1.38,
    lift: -0.42,
    things: [
      standing(-1.12, 0.2, 0.74, 1),
      standing(0, 0.3, 0.74, 2),
      standing(1.12, 0.2, 0.74, 3),
      standing(-0.56, 0.3, 0.74, 4, 0.42),
      standing(0.56, 0.3, 0.74, 5, 0.42),
      core([-0.7, -0.82, -0.8], 0.52, [0.1, 0.9, 1.4], 6),
      core([0.72, -0.84, -0.78], 0.52, [0.1, 2, -1.25], 7),
    ],
  },
  '5': {
    zoom: 1.32,
    lift: 0.12,
    things: [
      rack([0, -0.62, 0.2], 1.02, 0.12),
      ...racked(-0.75, [
        [-1.02, 0.3, 0],
        [-0.34, 0.2, 0.05],
        [0.34, 0.15, 0],
        [1.02, 0.1, 0.04],
        [-0.68, 0.75, 0.45],
        [0.02, 0.7, 0.5],
        [0.72, 0.65, 0.42],
      ]),
      core([1.3, -0.92, -0.95], 0.46, [0.1, 0.4, 1.25], 14),
      core([-1.25, -0.95, -0.95], 0.46, [0.1, 1.4, -1.35], 15),
    ],
  },
  '6': {
    zoom: 1.28,
    lift: -0.12,
    things: [
      rack([0, -0.8, 0.2], 1.12, 0.1),
      ...racked(-0.95, [
        [-1.14, 0.2, 0],
        [-0.38, 0.1, 0.05],
        [0.38, 0.1, 0],
        [1.14, 0.05, 0.04],
        [-0.76, 0.65, 0.55],
        [0, 0.6, 0.62],
        [0.76, 0.55, 0.55],
      ]),
      core([0.02, 1.12, 0.35], 0.86, [-0.2, 0.5, -0.1], 20),
      core([1.42, -1.08, -0.95], 0.44, [0.1, 0.4, 1.25], 14),
      core([-1.4, -1.1, -0.95], 0.44, [0.1, 1.4, -1.35], 15),
      core([0.1, -1.15, -1.2], 0.42, [0.1, 2.4, 1.5], 16),
      core([-1.36, 0.86, 0.1], 0.36, [-0.3, 0.4, 0.5], 17),
      core([1.38, 0.9, 0.1], 0.36, [-0.3, 0.9, -0.5], 18),
    ],
  },
  pass: {
    zoom: 1.72,
    things: [{ at: [0, 0, 0], size: 1.06, turned: [-0.16, 0.42, -0.14], traits: [2, 1, 0, 1.9] }],
  },
  chest: {
    zoom: 1.42,
    lift: -0.1,
    things: [{ at: [0, -0.1, 0], size: 1.02, turned: [0, 0.48, 0], traits: [3, 1, 0, 2.2] }],
  },
});
