import { type Placed, placing, type Vector } from '../../placing.ts';
import type { Thing } from '../../scene.ts';

// As in the shader.
const room = 16;

interface Props {
  zoom: number;
  /** The height the camera looks at. */
  aim?: number;
  box?: 'open' | 'closed';
  gate?: boolean;
  pass?: boolean;
}

function seal(at: Vector, size: number, turned: Vector, { tassel = true, hue = 0 } = {}): Placed {
  return { at, size, turned, traits: [tassel ? 1 : 0, hue, 0, 0] };
}

function sealThing(
  name: string,
  seals: Placed[],
  { zoom, aim = 0, box, gate, pass }: Props,
): Thing {
  return {
    kind: 'thing',
    name: `lantern-court-${name}`,
    shader: 'objects.frag',
    samples: 2,
    uniforms: {
      ...placing(seals, room),
      uZoom: zoom,
      uAim: aim,
      uBox: box === undefined ? 0 : box === 'open' ? 1 : 2,
      uGate: gate ? 1 : 0,
      uPass: pass ? 1 : 0,
    },
    exposure: 0.92,
    saturation: 1.16,
  };
}

const bare = { tassel: false };

/** Seals on the ground around a tall one; the more the amount, the wider and higher the heap. */
const heap: Placed[] = [
  seal([-0.74, -0.52, -0.1], 0.62, [0, 0.5, 0], { hue: 0.4 }),
  seal([0.72, -0.55, -0.15], 0.6, [0, -0.35, 0], { hue: 0.9 }),
  seal([0.02, -0.62, -0.62], 0.52, [0, 0.15, 0], { hue: 0.2 }),
  seal([-0.34, 0.02, 0.42], 0.66, [0, 0.7, 0.02], bare),
  seal([0.42, 0.02, 0.46], 0.66, [0, -0.6, -0.02], { tassel: false, hue: 0.6 }),
];

const boxed: Placed[] = [
  seal([-0.88, -0.32, 0.16], 0.5, [0.1, 0.6, 0.16], bare),
  seal([-0.32, -0.26, 0.05], 0.52, [0, 0.1, -0.06], { tassel: false, hue: 0.6 }),
  seal([0.28, -0.3, -0.05], 0.5, [0.05, -0.4, 0.08], { tassel: false, hue: 0.2 }),
  seal([0.86, -0.34, -0.22], 0.5, [0, 0.4, -0.2], { tassel: false, hue: 0.9 }),
  seal([-0.5, -0.3, 0.62], 0.5, [0, 0.8, 0.05], bare),
  seal([0.3, -0.28, 0.52], 0.52, [0, 0.2, 0], { tassel: false, hue: 0.5 }),
  seal([-0.06, 0.32, 0.2], 0.66, [-0.05, 0.36, 0.06], { hue: 0.1 }),
];

export const seals: readonly Thing[] = [
  sealThing('1', [seal([0, -0.12, 0], 1.1, [-0.1, 0.5, -0.12])], { zoom: 2.55, aim: 0.02 }),
  sealThing(
    '2',
    [
      seal([0, 0.06, 0.25], 0.86, [-0.04, 0.5, -0.05]),
      seal([-0.86, -0.46, -0.3], 0.62, [0, 0.75, 0.06], { hue: 0.5 }),
      seal([0.88, -0.46, -0.3], 0.62, [0, -0.25, -0.05], { hue: 0.9 }),
    ],
    { zoom: 2.3, aim: -0.05 },
  ),
  sealThing('3', [seal([0.02, 0.42, 0.1], 0.66, [0, 0.42, -0.04]), ...heap], {
    zoom: 2.3,
    aim: -0.05,
  }),
  sealThing(
    '4',
    [
      ...heap,
      seal([0.02, 0.56, 0.2], 0.72, [0, 0.42, -0.04]),
      seal([-1.2, -0.62, 0.3], 0.55, [0, 0.3, 0], { tassel: false, hue: 0.7 }),
      seal([1.22, -0.62, 0.3], 0.55, [0, -0.6, 0], bare),
      seal([-0.7, -0.78, -0.78], 0.4, [0, 0.9, 1.5], bare),
      seal([0.74, -0.78, -0.8], 0.4, [0, 0.3, -1.5], { tassel: false, hue: 0.4 }),
    ],
    { zoom: 2.1, aim: -0.05 },
  ),
  sealThing('5', boxed, { zoom: 1.68, aim: -0.28, box: 'open' }),
  sealThing(
    '6',
    [
      ...boxed,
      seal([-1.06, -0.98, -1.1], 0.46, [0, 0.5, 0], { hue: 0.3 }),
      seal([0.98, -1.02, -1.3], 0.46, [0, -0.3, 0], { hue: 0.8 }),
      seal([-0.66, 0.2, 0.5], 0.5, [0, 0.6, 0.2], bare),
      seal([0.58, 0.2, 0.4], 0.5, [0, -0.3, -0.24], { tassel: false, hue: 0.6 }),
    ],
    { zoom: 1.52, aim: -0.06, box: 'open', gate: true },
  ),
  sealThing('pass', [], { zoom: 1.68, aim: 0.12, pass: true }),
  sealThing('chest', [], { zoom: 1.46, aim: -0.22, box: 'closed' }),
];
