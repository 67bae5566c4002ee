import { type Placed, placing, rotation, seeded, type Vector } from '../../placing.ts';
import type { Thing } from '../../scene.ts';

const room = 20;

interface Shard {
  size: number;
  turned: Vector;
  length: number;
  girth: number;
  /** 0 is sea blue, 1 is violet. */
  hue: number;
  seed: number;
}

function placed(shard: Shard, at: Vector): Placed {
  const { size, turned, length, girth, seed, hue } = shard;
  return { at, size, turned, traits: [length, girth, seed, hue] };
}

/** A shard that grows out of the ground at this root. */
function grown(shard: Shard, root: Vector): Placed {
  const [, upX = 0, , , upY = 0, , , upZ = 0] = rotation(shard.turned);
  const rise = shard.length * 0.62 * shard.size * 0.82;
  return placed(shard, [root[0] + upX * rise, root[1] + upY * rise, root[2] + upZ * rise]);
}

interface Fan {
  count: number;
  seed: number;
  big: number;
  spread: number;
  floating: number;
}

function fan({ count, seed, big, spread, floating }: Fan): Placed[] {
  const random = seeded(seed);
  const middle = {
    size: big,
    turned: [-0.06, 0.4, 0.05] as Vector,
    length: 1.5,
    girth: 0.4,
    hue: 0.12,
  };
  const shards = [grown({ ...middle, seed: 3.1 }, [0, -0.9, 0])];
  for (let i = 1; i < count; i++) {
    const outward = i / count;
    const lean = (i % 2 ? 1 : -1) * (0.28 + spread * outward * (0.65 + 0.35 * random()));
    const depth = (random() - 0.55) * 0.5;
    const size = big * (0.86 - 0.42 * outward + 0.1 * (random() - 0.5));
    const turned: Vector = [depth * 0.9, random() * 6, -lean];
    const length = 1.25 + random() * 0.35;
    const girth = 0.34 + random() * 0.12;
    const hue = random() < 0.35 ? 0.75 + 0.25 * random() : 0.25 * random();
    const root: Vector = [lean * 0.16, -0.92, depth * 0.9 - 0.05];
    shards.push(grown({ size, turned, length, girth, hue, seed: random() * 20 }, root));
  }
  for (let i = 0; i < floating; i++) shards.push(afloat(random, i, floating));
  return shards;
}

/** One of the small shards that hang in an arc above the fan. */
function afloat(random: () => number, i: number, floating: number): Placed {
  const turn = -2.4 + (4.8 * (i + 0.5)) / floating + (random() - 0.5) * 0.4;
  const size = 0.15 + random() * 0.1;
  const at: Vector = [
    Math.sin(turn) * (1.25 + random() * 0.35),
    0.25 + Math.cos(turn) * (0.95 + random() * 0.25),
    (random() - 0.5) * 0.5,
  ];
  const turned: Vector = [random() - 0.5, random() * 6, -turn * 0.6];
  return placed({ size, turned, length: 1.3, girth: 0.42, hue: random(), seed: random() * 20 }, at);
}

function shardThing(name: string, objects: Placed[], zoom: number, rings = 0): Thing {
  return {
    kind: 'thing',
    name,
    shader: 'shards.frag',
    samples: 4,
    uniforms: { ...placing(objects, room), uZoom: zoom, uRing: rings, uLift: 0 },
    exposure: 0.95,
    saturation: 1.28,
  };
}

const single: Shard = {
  size: 1,
  turned: [-0.12, 0.5, -0.3],
  length: 1.55,
  girth: 0.46,
  hue: 0.1,
  seed: 3.1,
};
const trio = [
  placed(
    { ...single, size: 0.86, turned: [-0.1, 0.5, -0.12], girth: 0.44, hue: 0.08 },
    [0.02, 0.1, -0.05],
  ),
  placed(
    { size: 0.6, turned: [0.1, 1.9, 0.62], length: 1.4, girth: 0.44, hue: 0.85, seed: 7.7 },
    [-0.72, -0.28, 0.12],
  ),
  placed(
    { size: 0.52, turned: [-0.1, 0.2, -0.78], length: 1.4, girth: 0.46, hue: 0.25, seed: 12.3 },
    [0.72, -0.4, 0.05],
  ),
];

export const shards: readonly Thing[] = [
  shardThing('shard1', [placed(single, [0, 0.02, 0])], 2.15),
  shardThing('shard2', trio, 2.2),
  shardThing('shard3', fan({ count: 6, seed: 21, big: 0.94, spread: 0.85, floating: 0 }), 2.45),
  shardThing('shard4', fan({ count: 10, seed: 5, big: 1, spread: 1.05, floating: 0 }), 2.3),
  shardThing('shard5', fan({ count: 11, seed: 33, big: 0.95, spread: 1, floating: 3 }), 2, 1),
  shardThing('shard6', fan({ count: 13, seed: 8, big: 1.06, spread: 1.12, floating: 6 }), 1.9, 2),
];
