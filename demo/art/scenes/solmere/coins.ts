import { type Placed, placing, type Vector } from '../../placing.ts';
import type { Thing } from '../../scene.ts';

const room = 32;

function coin(at: Vector, size: number, turned: Vector): Placed {
  return { at, size, turned };
}

interface Stack {
  foot: Vector;
  count: number;
  size: number;
  /** Every second coin lies this far beside the first, and every coin is turned a bit more. */
  slip: number;
  twist: number;
}

function stack({ foot: [x, y, z], count, size, slip, twist }: Stack): Placed[] {
  return Array.from({ length: count }, (_, i) =>
    coin([x + (i % 2) * slip, y + i * 0.2, z], size, [0.01, i * twist, 0]),
  );
}

/** Small coins in a ring around a great one. */
function wheel(count: number, radius: number): Placed[] {
  return Array.from({ length: count }, (_, i) => {
    const turn = (i / count) * 2 * Math.PI + 0.22;
    const at: Vector = [
      radius * Math.cos(turn),
      0.12 + radius * 0.93 * Math.sin(turn),
      0.1 - 0.5 * Math.sin(turn),
    ];
    return coin(at, 0.27 + 0.06 * (i % 2), [
      -1.1 + 0.35 * Math.sin(turn),
      0,
      -0.5 * Math.cos(turn),
    ]);
  });
}

function coinThing(name: string, coinsOfIt: Placed[], zoom: number, icon?: string): Thing {
  return {
    kind: 'thing',
    name,
    shader: 'coins.frag',
    samples: 4,
    uniforms: { ...placing(coinsOfIt, room), uZoom: zoom },
    exposure: 0.85,
    saturation: 1,
    ...(icon === undefined ? {} : { icon }),
  };
}

const left = { size: 0.76, slip: 0.06, twist: 0.9 };
const right = { size: 0.76, slip: -0.05, twist: 1.3 };
const spilled = [
  coin([-0.72, -0.98, -0.75], 0.62, [-0.62, 0, 0.3]),
  coin([0.02, -1.08, -1], 0.6, [-0.7, 0, -0.05]),
  coin([0.76, -0.98, -0.78], 0.62, [-0.55, 0, -0.32]),
];

export const coins: readonly Thing[] = [
  coinThing('coin1', [coin([0, 0, 0], 1.12, [-1.16, 0, -0.2])], 2.15, 'coin-icon-96.webp'),
  coinThing(
    'coin2',
    [
      coin([-0.05, 0.3, 0.25], 1, [-1.15, 0, 0.16]),
      coin([-0.92, -0.62, -0.1], 0.72, [-0.62, 0, 0.42]),
      coin([0.92, -0.62, -0.15], 0.72, [-0.75, 0, -0.46]),
    ],
    1.78,
  ),
  coinThing(
    'coin3',
    [
      ...stack({ ...left, foot: [-0.95, -1.05, 0.24], count: 5, size: 0.78 }),
      ...stack({ ...right, foot: [0.98, -1.05, 0.1], count: 3, size: 0.78 }),
      coin([0.1, 0.42, 0.55], 1.05, [-1.12, 0, -0.12]),
      coin([0.05, -0.86, -0.75], 0.62, [-0.55, 0, 0.1]),
    ],
    1.62,
  ),
  coinThing(
    'coin4',
    [
      ...stack({ ...left, foot: [-1.2, -1.15, 0.25], count: 6 }),
      ...stack({ ...right, foot: [1.22, -1.15, 0.2], count: 4 }),
      coin([0.02, 0.5, 0.6], 1.18, [-1.14, 0, -0.1]),
      coin([-0.42, -0.88, -0.7], 0.66, [-0.62, 0, 0.22]),
      coin([0.62, -0.92, -0.75], 0.6, [-0.5, 0, -0.25]),
      coin([1.12, 0.62, 0.1], 0.34, [-0.9, 0, -0.5]),
      coin([-1.16, 0.72, 0.2], 0.3, [-1.2, 0, 0.5]),
    ],
    1.44,
  ),
  // Three stacks that rise to the right, with spilled coins in front.
  coinThing(
    'coin5',
    [
      ...stack({ ...left, foot: [-1.34, -1.15, 0.1], count: 4, size: 0.74 }),
      ...stack({ ...right, foot: [1.28, -1.15, 0.3], count: 10, size: 0.74 }),
      ...stack({ ...left, foot: [-0.02, -1.15, 0.95], count: 7, size: 0.74 }),
      coin([-0.36, 0.66, 0.55], 1.02, [-1.12, 0, 0.14]),
      coin([-0.5, -0.9, -0.7], 0.64, [-0.62, 0, 0.22]),
      coin([0.62, -0.94, -0.72], 0.58, [-0.5, 0, -0.28]),
    ],
    1.4,
  ),
  // A great coin in a wheel of small ones.
  coinThing(
    'coin6',
    [coin([0, 0.12, 0.2], 1.3, [-1.2, 0, -0.08]), ...wheel(14, 1.62), ...spilled],
    1.36,
  ),
  // A great coin between two towers, on a bed of spilled ones.
  coinThing(
    'coin7',
    [
      ...stack({ ...left, foot: [-1.42, -1.15, 0.3], count: 10, size: 0.72 }),
      ...stack({ ...right, foot: [1.42, -1.15, 0.3], count: 12, size: 0.72 }),
      coin([0, 0.34, 0.55], 1.24, [-1.16, 0, -0.06]),
      ...spilled,
      coin([-1.3, -1.12, -0.7], 0.5, [-0.5, 0, 0.4]),
      coin([1.32, -1.12, -0.7], 0.5, [-0.5, 0, -0.4]),
    ],
    1.34,
  ),
  // The wheel and the towers together.
  coinThing(
    'coin8',
    [
      ...stack({ ...left, foot: [-1.5, -1.2, 0.5], count: 6, size: 0.66 }),
      ...stack({ ...right, foot: [1.5, -1.2, 0.5], count: 6, size: 0.66 }),
      coin([0, 0.3, 0.2], 1.2, [-1.2, 0, -0.06]),
      ...wheel(15, 1.56),
      ...spilled,
    ],
    1.3,
  ),
];
