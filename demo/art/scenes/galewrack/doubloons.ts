import type { Placed, Vector } from '../../placing.ts';
import { stillLives } from '../../still-life.ts';

// Traits as objects.frag reads them: kind, seed, how far the lid stands open, reach of the object in its own sizes.
function coin(at: Vector, size: number, turned: Vector, seed: number): Placed {
  return { at, size, turned, traits: [0, seed, 0, 1.12] };
}

function pile([x, y, z]: Vector, count: number, size: number, seed: number): Placed[] {
  return Array.from({ length: count }, (_, i) =>
    coin(
      [
        x + 0.07 * Math.sin(seed + i * 2.3),
        y + i * size * 0.235,
        z + 0.06 * Math.cos(seed + i * 1.7),
      ],
      size,
      [0.05 * Math.sin(i * 2 + seed), i * 1.1 + seed, 0.05 * Math.cos(i * 3)],
      seed + i,
    ),
  );
}

function pouch(at: Vector, size: number, yaw: number): Placed {
  return { at, size, turned: [0, yaw, 0], traits: [1, 0, 0, 1.45] };
}

function chest(at: Vector, size: number, yaw: number, open: number): Placed {
  return { at, size, turned: [0, yaw, 0], traits: [2, 1, open, 2.5] };
}

/** Coins thrown into the open chest. */
function heaped(places: readonly [number, number, number, number][]): Placed[] {
  return places.map(([x, y, z, size], i) =>
    coin(
      [x, y, z],
      size,
      [-0.35 - 0.5 * Math.sin(i * 2.1), i * 1.3, 0.5 * Math.sin(i * 3.7)],
      i + 3,
    ),
  );
}

export const doubloons = stillLives('galewrack', {
  '1': { zoom: 2.12, things: [coin([0, 0, 0], 1.14, [-1.14, 0, -0.2], 1)] },
  '2': {
    zoom: 1.72,
    lift: 0.08,
    things: [
      coin([0.1, 0.3, 0.25], 1, [-1.12, 0, 0.14], 1),
      coin([-0.9, -0.58, -0.15], 0.74, [-0.6, 0.4, 0.42], 4),
      coin([0.92, -0.62, -0.2], 0.74, [-0.72, 0, -0.46], 6),
    ],
  },
  '3': {
    zoom: 1.66,
    lift: 0.1,
    things: [
      ...pile([-0.92, -1.05, 0.2], 5, 0.78, 1),
      ...pile([0.95, -1.05, 0.15], 3, 0.78, 5),
      coin([0.12, 0.42, 0.55], 1.06, [-1.12, 0, -0.12], 9),
      coin([0.05, -0.88, -0.75], 0.64, [-0.52, 0.6, 0.1], 11),
    ],
  },
  '4': {
    zoom: 1.56,
    lift: 0.1,
    things: [
      pouch([0.1, 0.02, 0.35], 1.16, 0.3),
      ...pile([-1.25, -1.08, -0.05], 3, 0.56, 2),
      coin([1.18, -0.62, -0.25], 0.62, [-1, 0.3, -0.5], 6),
      coin([0.25, -0.98, -0.98], 0.56, [-0.42, 0.9, 0.05], 8),
      coin([-0.5, -0.86, -0.85], 0.5, [-0.85, 0.2, 0.4], 9),
    ],
  },
  '5': {
    zoom: 1.46,
    lift: 0.05,
    things: [
      pouch([-0.62, 0.05, 0.3], 1.08, 0.5),
      pouch([0.95, -0.18, 0.45], 0.88, -0.6),
      ...pile([0.12, -1.12, -0.7], 3, 0.5, 2),
      ...pile([1.35, -1.15, -0.6], 4, 0.44, 7),
      coin([-1.15, -0.82, -0.75], 0.58, [-0.95, 0.4, 0.4], 12),
      coin([-0.42, -1.02, -1.05], 0.5, [-0.45, 1.2, 0], 13),
      coin([0.2, 1.25, 0.1], 0.38, [-1, 0, -0.5], 14),
    ],
  },
  '6': {
    zoom: 1.4,
    lift: -0.12,
    things: [
      chest([0, -0.28, 0.35], 1.08, 0.22, 1.15),
      ...heaped([
        [-0.75, 0.02, 0.28, 0.46],
        [-0.1, 0.06, 0.18, 0.46],
        [0.6, 0.04, 0.05, 0.46],
        [-0.42, 0.22, 0.5, 0.5],
        [0.28, 0.26, 0.42, 0.5],
        [-0.1, 0.4, 0.3, 0.48],
        [0.8, 0.14, 0.4, 0.4],
        [-0.95, 0.12, 0.5, 0.4],
      ]),
      coin([-0.08, 0.66, -0.02], 0.52, [-1.05, 0, 0.12], 20),
      coin([-1.2, -1.12, -0.85], 0.48, [-0.5, 0.3, 0.2], 21),
      coin([1.15, -1.15, -0.95], 0.46, [-0.4, 0.9, -0.2], 22),
      coin([0.25, -1.2, -1.15], 0.44, [-0.55, 1.9, 0.1], 23),
    ],
  },
  pass: {
    zoom: 1.7,
    things: [{ at: [0, 0, 0], size: 1.08, turned: [-0.14, 0.36, -0.12], traits: [3, 1, 0, 1.9] }],
  },
  chest: { zoom: 1.46, things: [chest([0, -0.12, 0], 1.12, 0.42, 0)] },
});
