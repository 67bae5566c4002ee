import type { Placed, Vector } from '../../placing.ts';
import { stillLives } from '../../still-life.ts';

// As objects.frag knows them.
const cloths = { coral: 0, leaf: 1, sky: 2 };
type Cloth = keyof typeof cloths;

// Traits as objects.frag reads them: kind, seed, cloth, reach of the object in its own sizes.
function jar(at: Vector, size: number, cloth: Cloth, yaw: number, tilt = 0): Placed {
  const seed = at[0] * 3 + at[1];
  return { at, size, turned: [0, yaw, tilt], traits: [0, seed, cloths[cloth], 1.25] };
}

function standing([x, floor, z]: Vector, size: number, cloth: Cloth, yaw = 0): Placed {
  return jar([x, floor + size * 0.87, z], size, cloth, yaw);
}

function drop(at: Vector, size: number, tilt: number): Placed {
  return { at, size, turned: [0, 0, tilt], traits: [1, at[0], 0, 1.25] };
}

function basket(at: Vector, size: number, yaw: number, cloth: Cloth): Placed {
  return { at, size, turned: [0, yaw, 0], traits: [4, 0, cloths[cloth], 2] };
}

function onShelf(floor: number, z: number, size: number, jars: readonly [number, Cloth][]) {
  return jars.map(([x, cloth]) => standing([x, floor, z], size, cloth, 0.2 - x * 0.15));
}

export const honey = stillLives('paw-and-petal', {
  '1': { zoom: 1.98, lift: 0.02, things: [jar([0, -0.02, 0], 1.28, 'coral', 0.25, -0.1)] },
  '2': {
    zoom: 1.6,
    lift: 0.22,
    things: [
      standing([-0.48, -1.15, 0.2], 1.12, 'coral', 0.2),
      standing([0.95, -1.15, -0.15], 0.82, 'leaf', -0.25),
      drop([0.62, 0.86, 0.1], 0.34, -0.15),
    ],
  },
  '3': {
    zoom: 1.5,
    lift: 0.05,
    things: [
      standing([0, -1.02, 0.5], 1.16, 'coral', 0.05),
      standing([-1.12, -1.16, -0.1], 0.84, 'leaf', 0.3),
      standing([1.12, -1.16, -0.1], 0.84, 'sky', -0.3),
      drop([-0.85, 0.95, 0.1], 0.28, 0.2),
      drop([0.98, 0.8, 0.1], 0.22, -0.2),
    ],
  },
  '4': {
    zoom: 1.38,
    lift: -0.22,
    things: [
      standing([-0.62, -1, 0.55], 0.94, 'sky', 0.15),
      standing([0.66, -1, 0.55], 0.94, 'leaf', -0.1),
      standing([0.02, 0.55, 0.6], 0.72, 'coral', 0.05),
      standing([-1.36, -1.18, -0.15], 0.66, 'coral', 0.35),
      standing([1.38, -1.18, -0.15], 0.66, 'coral', -0.35),
      standing([0.02, -1.2, -0.35], 0.7, 'sky'),
      drop([-1.05, 0.92, 0.2], 0.24, 0.2),
      drop([1.02, 0.92, 0.2], 0.2, -0.2),
    ],
  },
  '5': {
    zoom: 1.4,
    lift: -0.02,
    things: [
      basket([0, -0.3, 0.1], 1.22, 0.18, 'coral'),
      standing([-0.72, -0.15, 0.2], 0.62, 'leaf', 0.2),
      standing([0.02, -0.12, 0.12], 0.68, 'coral', 0.1),
      standing([0.78, -0.15, 0.05], 0.6, 'sky'),
      standing([-1.45, -1.28, -0.75], 0.48, 'coral', 0.3),
      standing([1.35, -1.28, -0.95], 0.52, 'leaf', -0.2),
    ],
  },
  '6': {
    zoom: 1.38,
    lift: 0.1,
    things: [
      { at: [0, -0.12, 0.35], size: 1.02, turned: [0, 0, 0], traits: [2, 0, 0, 2.6] },
      ...onShelf(-1.06, 0.2, 0.5, [
        [-1.22, 'coral'],
        [-0.41, 'leaf'],
        [0.41, 'coral'],
        [1.22, 'sky'],
      ]),
      ...onShelf(0.4, 0.3, 0.46, [
        [-1.18, 'sky'],
        [-0.4, 'coral'],
        [0.42, 'sky'],
        [1.18, 'leaf'],
      ]),
      standing([-1.05, -1.52, -0.75], 0.46, 'leaf', 0.3),
      standing([0.02, -1.55, -0.9], 0.52, 'coral'),
      standing([1.08, -1.52, -0.75], 0.46, 'sky', -0.3),
    ],
  },
  pass: {
    zoom: 1.72,
    things: [{ at: [0, 0, 0], size: 1.08, turned: [-0.14, 0.36, -0.12], traits: [3, 1, 0, 1.9] }],
  },
  chest: { zoom: 1.55, lift: -0.12, things: [basket([0, -0.28, 0], 1.14, 0.42, 'leaf')] },
});
