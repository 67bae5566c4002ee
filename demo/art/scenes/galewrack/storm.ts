// Lightning behind the ship, spray and rain before her.
import { seeded } from '../../placing.ts';
import type { Size } from '../../scene.ts';
import { type Point, pathThrough, type Sheet, sheetOf } from '../../sheets.ts';
import { lights, paints, ship } from './ship.ts';

export interface View {
  shipX: number;
  horizonY: number;
  focal: number;
  /** From the ship, in shares of the height. */
  flashX: number;
}

type Random = () => number;

/** A broken line, broken again at every halving, with smaller bolts leaving it. */
function bolt(random: Random, from: Point, to: Point, thick: number, depth: number): string {
  let points: Point[] = [from, to];
  let swing = Math.hypot(to[0] - from[0], to[1] - from[1]) * 0.16;
  for (let round = 0; round < 6; round++) {
    points = points.flatMap((point, i): Point[] => {
      const last = points[i - 1];
      if (last === undefined) return [point];
      const x = (last[0] + point[0]) / 2 + (random() - 0.5) * swing;
      return [[x, (last[1] + point[1]) / 2 + (random() - 0.5) * swing * 0.4], point];
    });
    swing *= 0.52;
  }
  let drawn = `<path d="${pathThrough(points, false)}" stroke-width="${thick}"/>`;
  for (let branch = 0; depth > 0 && branch < 4; branch++) {
    const start = points[Math.floor(points.length * (0.12 + 0.2 * branch + 0.08 * random()))] ?? to;
    const length = (to[1] - from[1]) * (0.18 + 0.2 * random());
    const aside = (branch % 2 ? 1 : -1) * length * (0.5 + random() * 0.5);
    const end: Point = [start[0] + aside, start[1] + length * 0.9];
    drawn += bolt(random, start, end, thick * 0.45, depth - 1);
  }
  return drawn;
}

/** Thrown up at the bow and washed along the waterline. */
function spray(random: Random, x: number, horizon: number, unit: number): string {
  let drops = '';
  for (let i = 0; i < 620; i++) {
    const back = random();
    const angle = -Math.PI * (0.3 + 0.5 * random());
    const away = (10 + 92 * random() * random()) * unit;
    const cx = x - (196 - 20 * back) * unit + Math.cos(angle) * away * 1.2;
    const cy = horizon + 44 * unit + Math.sin(angle) * away * 0.9;
    const radius = (0.4 + 2.6 * random() ** 4) * unit * (1 - away / (150 * unit));
    drops += `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="${radius.toFixed(2)}" opacity="${(0.15 + 0.5 * random()).toFixed(2)}"/>`;
  }
  for (let i = 0; i < 420; i++) {
    const cx = x + (-190 + 380 * random()) * unit;
    const cy = horizon + (60 + 14 * random()) * unit + (cx - x) * 0.1;
    const radius = (0.4 + 1.8 * random() ** 3) * unit;
    drops += `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="${radius.toFixed(2)}" opacity="${(0.05 + 0.22 * random()).toFixed(2)}"/>`;
  }
  return drops;
}

/** Fainter to the left, where words stand. */
function rain(random: Random, { width, height }: Size, unit: number): string {
  return Array.from({ length: 620 }, () => {
    const x = random() * width * 1.1;
    const y = random() * height;
    const length = (14 + 50 * random()) * unit;
    const calm = 0.3 + 0.7 * Math.min(1, (x / width) * 1.4);
    const opacity = 0.03 + 0.13 * random() * random() * calm;
    return `<path d="M${x.toFixed(1)} ${y.toFixed(1)} l${(-length * 0.42).toFixed(1)} ${length.toFixed(1)}" stroke-opacity="${opacity.toFixed(3)}" stroke-width="${(0.5 + random() * 0.9) * unit}"/>`;
  }).join('');
}

export function storm(size: Size, { shipX, horizonY, flashX }: View): Sheet[] {
  const random = seeded(9);
  const { width, height } = size;
  const unit = height / 760;
  const x = width / 2 + shipX * height;
  const horizon = height / 2 - horizonY * height;
  const flash = x + flashX * height;
  const place = `translate(${x - 6 * unit} ${horizon + 42 * unit}) rotate(5.5) scale(${1.3 * unit})`;
  const soft = (id: string, deviation: number) =>
    `<filter id="${id}" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${deviation * unit}"/></filter>`;
  const definitions = paints + soft('halo', 5) + soft('wet', 2.2);
  const sheet = (content: string) => sheetOf(size, content, definitions);

  const lightning = bolt(
    random,
    [flash + 26 * unit, horizon - 330 * unit],
    [flash + 78 * unit, horizon - 2 * unit],
    2.3 * unit,
    2,
  );
  const drops = spray(random, x, horizon, unit);
  return [
    {
      svg: sheet(
        `<g fill="none" stroke="#bff5ea" stroke-linejoin="round" filter="url(#halo)" opacity=".8">${lightning}</g><g fill="none" stroke="#eafffa" stroke-linejoin="round">${lightning}</g>`,
      ),
      adds: true,
      gain: 2.6,
      behind: true,
    },
    { svg: sheet(`<g transform="${place}">${ship()}</g>`), behind: true },
    {
      svg: sheet(
        `<g transform="${place}"><circle cx="156" cy="-82" r="66" fill="url(#lantern)"/>${lights}</g>`,
      ),
      adds: true,
      gain: 1.7,
      behind: true,
    },
    {
      svg: sheet(
        `<g fill="#9fc4ba" filter="url(#wet)" opacity=".85">${drops}</g><g fill="#b9d8cf" opacity=".5">${drops}</g>`,
      ),
      gain: 0.6,
    },
    {
      svg: sheet(`<g stroke="#b8dcd4" stroke-linecap="round">${rain(random, size, unit)}</g>`),
      adds: true,
      gain: 0.8,
    },
  ];
}
