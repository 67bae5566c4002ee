import { seeded } from '../../placing.ts';
import type { Uniforms } from '../../renderer.ts';

// As in the shader.
const room = 230;

type Lantern = [x: number, y: number, z: number, size: number];

/** Lanterns that rise from the near right, bend round the great hall and thin out towards the moon. */
export function lanternRiver(): Uniforms {
  const random = seeded(4);
  const lanterns = [
    ...placedByHand,
    ...hungUnderEaves(),
    ...river(random, 150),
    ...strays(random, 50),
  ];
  const data = new Array<number>(room * 4).fill(0);
  lanterns.slice(0, room).forEach((lantern, i) => {
    data.splice(i * 4, 4, ...lantern);
  });
  return { uLanterns: Math.min(room, lanterns.length), uLantern: { type: 'vec4', data } };
}

/** The few that are near enough to be looked at. */
const placedByHand: Lantern[] = [
  [6.4, 11.2, 13, 0.62],
  [9.2, 9.4, 18, 0.6],
  [4.4, 13.6, 19, 0.58],
  [-2.4, 12.6, 22, 0.52],
  [7.6, 14.8, 22, 0.6],
  [11.8, 13.2, 24, 0.62],
  [1.4, 10.4, 24, 0.5],
  [-7.6, 10.2, 27, 0.5],
];

function hungUnderEaves(): Lantern[] {
  return Array.from({ length: 14 }, (_, i): Lantern => [1 + (i - 6.5) * 2.4, 6.9, 63.2, 0.5]);
}

// The river's course as seen: right and up from the palace's foot in shares of the height, then the distance.
const course: readonly [number, number, number][] = [
  [0.56, -0.12, 22],
  [0.47, 0.05, 34],
  [0.34, 0.2, 50],
  [0.12, 0.3, 70],
  [-0.14, 0.31, 92],
  [-0.36, 0.35, 118],
  [-0.62, 0.44, 150],
];

function courseAt(along: number): [number, number, number] {
  const place = along * (course.length - 1.001);
  const from = course[Math.floor(place)] ?? [0, 0, 0];
  const to = course[Math.floor(place) + 1] ?? from;
  const share = place % 1;
  return [0, 1, 2].map((k) => (from[k] ?? 0) * (1 - share) + (to[k] ?? 0) * share) as [
    number,
    number,
    number,
  ];
}

function river(random: () => number, count: number): Lantern[] {
  const scattered = () => random() + random() + random() - 1.5;
  return Array.from({ length: count }, (_, i): Lantern => {
    const along = ((i + random()) / count) ** 0.85;
    const [right, up, z] = courseAt(along);
    const sway = 0.035 * Math.sin(along * 15);
    const across = 0.055 + 0.035 * Math.sin(along * Math.PI);
    const x = ((right + scattered() * across) * z) / 1.3;
    const y = 9 + ((up + sway + scattered() * across) * z) / 1.3;
    return [x, y, z + scattered() * 8, 0.46 + random() * 0.3 + along * 0.2];
  });
}

/** Far ones all over the court, fewer to the left, where words stand. */
function strays(random: () => number, count: number): Lantern[] {
  return Array.from({ length: count }, (): Lantern => {
    const z = 45 + random() * 70;
    const x = (1 - random() ** 1.6 * 1.75) * 0.5 * z;
    const y = 4 + random() * random() * 0.55 * z;
    return [x, y, z, 0.4 + random() * 0.2];
  });
}
