import { type Placed, placing, type Vector } from '../../placing.ts';
import type { Thing } from '../../scene.ts';

// As in the shader.
const room = 16;

interface Props {
  zoom: number;
  /** The height the camera looks at. */
  aim?: number;
  armour?: 'open' | 'closed';
  ring?: boolean;
  pass?: boolean;
}

/** Hue 0 glows cyan, 1 magenta. */
function cell(at: Vector, size: number, turned: Vector, hue = 0): Placed {
  return { at, size, turned, traits: [hue, at[0] * 1.7 + at[2], 0, 0] };
}

function cellThing(name: string, cells: Placed[], props: Props): Thing {
  const { zoom, aim = 0, armour, ring, pass } = props;
  return {
    kind: 'thing',
    name: `neon-meridian-${name}`,
    shader: 'objects.frag',
    samples: 2,
    uniforms: {
      ...placing(cells, room),
      uZoom: zoom,
      uAim: aim,
      uCase: armour === undefined ? 0 : armour === 'open' ? 1 : 2,
      uRing: ring ? 1 : 0,
      uPass: pass ? 1 : 0,
    },
    exposure: 1,
    saturation: 1.12,
  };
}

/** Standing cells, a tall one behind. */
const group: Placed[] = [
  cell([0, 0.16, 0.5], 0.92, [0, 0.2, 0]),
  cell([-0.78, -0.2, 0.2], 0.72, [0, 0.5, 0], 1),
  cell([0.78, -0.2, 0.2], 0.72, [0, 0.1, 0], 0.15),
  cell([-0.36, -0.36, -0.5], 0.6, [0, 0.8, 0], 0.1),
  cell([0.38, -0.36, -0.5], 0.6, [0, 0.35, 0], 0.9),
];

const crated: Placed[] = [
  cell([-0.86, -0.2, 0.22], 0.54, [0.05, 0.3, 0.12], 0.1),
  cell([-0.3, -0.12, 0.06], 0.56, [0, 0.6, -0.04], 1),
  cell([0.26, -0.16, -0.08], 0.54, [0, 0.1, 0.06]),
  cell([0.84, -0.22, -0.26], 0.54, [0, 0.5, -0.14], 0.9),
  cell([-0.5, -0.1, 0.64], 0.54, [0, 0.2, 0.05], 0.9),
  cell([0.42, -0.1, 0.48], 0.54, [0, 0.7, -0.05], 0.1),
];

export const cells: readonly Thing[] = [
  cellThing('1', [cell([0, 0, 0], 1.28, [-0.12, 0.3, -0.28])], { zoom: 2.35, aim: 0.03 }),
  cellThing(
    '2',
    [
      cell([0, 0.1, 0.3], 1, [0, 0.25, -0.04]),
      cell([-0.86, -0.36, -0.25], 0.7, [0, 0.6, 0.16], 1),
      cell([0.86, -0.36, -0.25], 0.7, [0, 0.1, -0.16], 0.2),
    ],
    { zoom: 2.2 },
  ),
  cellThing('3', [...group, cell([0.02, -0.72, -0.98], 0.44, [0, 0.3, 1.5], 0)], {
    zoom: 2.2,
    aim: -0.08,
  }),
  cellThing(
    '4',
    [
      ...group,
      cell([-1.3, -0.42, 0.1], 0.56, [0, 0.2, 0], 0.1),
      cell([1.3, -0.42, 0.1], 0.56, [0, 0.4, 0], 1),
      cell([-0.56, 0.32, 0.9], 0.72, [0, 0.4, 0], 0.9),
      cell([0.58, 0.32, 0.9], 0.72, [0, 0.1, 0], 0.1),
      cell([-0.86, -0.76, -0.9], 0.4, [0, 0.6, 1.4], 1),
      cell([0.84, -0.76, -0.9], 0.4, [0, 0.2, -1.4], 0),
    ],
    { zoom: 1.82, aim: -0.05 },
  ),
  cellThing('5', [...crated, cell([-0.04, 0.34, 0.2], 0.62, [0, 0.3, 0.1], 0)], {
    zoom: 1.68,
    aim: -0.26,
    armour: 'open',
  }),
  cellThing(
    '6',
    [
      ...crated,
      cell([-0.04, 0.42, 0.2], 0.7, [0, 0.3, 0.06], 0),
      cell([-0.66, 0.28, 0.4], 0.5, [0, 0.5, 0.24], 0.1),
      cell([0.62, 0.28, 0.3], 0.5, [0, 0.2, -0.24], 1),
      cell([-0.92, -1.0, -1.3], 0.42, [0, 0.4, 0], 0.9),
      cell([1.0, -1.0, -1.25], 0.42, [0, 0.1, 0], 0.1),
      cell([-1.28, 0.95, 0.6], 0.26, [0.2, 0.4, 0.5], 1),
      cell([1.28, 1.0, 0.6], 0.26, [0.2, 0.4, -0.5], 0),
    ],
    { zoom: 1.52, aim: -0.02, armour: 'open', ring: true },
  ),
  cellThing('pass', [], { zoom: 1.95, aim: 0.02, pass: true }),
  cellThing('chest', [], { zoom: 1.72, aim: -0.5, armour: 'closed' }),
];
