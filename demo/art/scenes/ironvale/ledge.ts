// The near ledge: snow, dark pines and a scout with a flag who gives the machines their size. Snow drifts over all of it.
import { seeded } from '../../placing.ts';
import type { Size } from '../../scene.ts';
import { type Point, pathThrough, type Sheet, sheetOf } from '../../sheets.ts';

const snow =
  '<linearGradient id="s" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#2c4058"/><stop offset=".14" stop-color="#18283b"/><stop offset=".5" stop-color="#0b131f"/><stop offset="1" stop-color="#070b14"/></linearGradient>';

const scout =
  '<path d="M-9 0 L-7 -30 L-2 -30 L-2 0 Z M3 0 L3 -30 L9 -30 L10 0 Z" fill="#04070c"/><path d="M-12 -26 C-14 -48 -13 -66 -8 -74 L8 -74 C14 -66 14 -48 13 -26 C6 -22 -6 -22 -12 -26 Z" fill="#0a121c"/><path d="M-15 -66 h11 v30 h-12 q-3 -16 1 -30 Z" fill="#0c1622"/><path d="M-7 -73 C-10 -92 10 -94 9 -74 C4 -70 -3 -70 -7 -73 Z" fill="#070c13"/><path d="M10 -64 C18 -58 22 -48 27 -42 L24 -37 C16 -42 10 -50 8 -54 Z" fill="#060b12"/><path d="M-9 -86 C-4 -93 6 -92 9 -82 M-8 -74 C-14 -66 -15 -52 -14 -36" fill="none" stroke="#ffb15c" stroke-opacity=".75" stroke-width="1.6"/><path d="M26 0 L27 -98" stroke="#05080d" stroke-width="2.6"/><path d="M27 -98 C38 -92 44 -100 58 -94 C46 -88 40 -80 27 -84 Z" fill="#9c3d16"/>';

// Place along the width, then height in units of the picture's height / 760.
const pinesWide: readonly Point[] = [
  [0.985, 560],
  [0.925, 410],
  [0.955, 300],
  [0.875, 230],
  [0.02, 250],
  [0.07, 170],
  [-0.01, 380],
  [0.12, 120],
  [0.165, 150],
  [0.21, 96],
  [0.835, 130],
];
const pinesTall: readonly Point[] = [
  [1.01, 470],
  [0.945, 300],
  [0.89, 190],
  [-0.01, 330],
  [0.055, 210],
  [0.11, 130],
];

type Random = () => number;

/** Drooping branches in tiers, snow on the upper side of some. */
function pine(random: Random, x: number, foot: number, tall: number, unit: number): string {
  const tiers = Math.round(13 + tall / (22 * unit));
  let dark = '';
  let light = '';
  for (let i = 0; i < tiers; i++) {
    const up = i / tiers;
    const reach = tall * 0.23 * (1 - up) ** 0.9 * (0.82 + 0.36 * random()) + 3 * unit;
    const y = foot - tall * (0.07 + 0.93 * up);
    const drop = reach * (0.42 + 0.2 * random());
    const thick = (tall / tiers) * 1.5;
    const teeth = Array.from({ length: 7 }, (_, k): Point => {
      const side = -1 + k / 3;
      const jag = (k % 2 ? -1 : 1) * thick * 0.16 + (random() - 0.5) * thick * 0.3;
      return [x + side * reach, y + Math.abs(side) * drop + jag];
    });
    const edge = pathThrough(teeth, false).slice(1);
    dark += `<path d="M${x} ${y - thick} Q${x - reach * 0.35} ${y - thick * 0.1} ${edge} Q${x + reach * 0.35} ${y - thick * 0.1} ${x} ${y - thick} Z"/>`;
    for (const side of [-1, 1]) {
      if (random() >= 0.8) continue;
      const from = 0.35 + random() * 0.3;
      const to = 0.85 + random() * 0.12;
      const middle = (from + to) / 2;
      const opacity = (0.25 + random() * 0.5).toFixed(2);
      light += `<path d="M${x + side * reach * from} ${y - thick * 0.25 + from * drop * 0.55} Q${x + side * reach * middle} ${y + middle * drop * 0.6} ${x + side * reach * to} ${y + to * drop * 0.98}" stroke="${side < 0 ? '#5d6f83' : '#35465a'}" stroke-opacity="${opacity}" stroke-width="${(1 + random() * 1.6) * unit}" fill="none" stroke-linecap="round"/>`;
    }
  }
  const trunk = `<rect x="${x - 3 * unit}" y="${foot - tall * 0.1}" width="${6 * unit}" height="${tall * 0.16}" fill="#05080d"/>`;
  return `${trunk}<g fill="#060b12">${dark}</g>${light}`;
}

/** The sun's place is given in shares of the height from the middle. */
export function ledge(size: Size, sunX: number): Sheet[] {
  const random = seeded(23);
  const { width, height } = size;
  const isWide = width > height;
  const unit = height / 760;
  const feet = width / 2 + sunX * height - (isWide ? 62 : 70) * unit;
  const crest = (x: number) => {
    const away = (x - feet) / unit;
    const slope =
      away < 0
        ? Math.min(70, Math.abs(away) ** 1.15 * 0.055)
        : away < 60
          ? 0
          : -Math.min(56, (away - 60) ** 1.1 * 0.085);
    const rough = 4 * Math.sin(away * 0.03) + 2.5 * Math.sin(away * 0.083 + 1);
    return ((isWide ? 634 : 640) + slope + rough * (Math.abs(away) < 26 ? 0.15 : 1)) * unit;
  };
  const top: Point[] = [];
  for (let x = -10; x <= width + 10; x += 6 * unit)
    top.push([x, crest(x) + (random() - 0.5) * 2.2 * unit]);
  const body = pathThrough([...top, [width + 10, height + 10], [-10, height + 10]]);
  const trees = (isWide ? pinesWide : pinesTall)
    .map(([at, tall]) => pine(random, at * width, crest(at * width) + 14 * unit, tall * unit, unit))
    .join('');
  const drifts = Array.from({ length: 26 }, () => {
    const x = random() * width;
    const y = crest(x) + (10 + random() * 70) * unit;
    const reach = (60 + random() * 180) * unit;
    return `<path d="M${x - reach} ${y} Q${x} ${y - (5 + random() * 8) * unit} ${x + reach} ${y + 3 * unit} Q${x} ${y + 6 * unit} ${x - reach} ${y} Z" fill="#2b4059" opacity="${0.1 + 0.2 * random()}"/>`;
  }).join('');
  const lit = pathThrough(
    top.filter(([x]) => Math.abs(x - feet) < 360 * unit),
    false,
  );
  const ground = `<path d="${body}" fill="url(#s)"/>${drifts}<path d="${lit}" fill="none" stroke="#e39a5a" stroke-opacity=".5" stroke-width="${1.4 * unit}"/>`;
  const figure = `<g transform="translate(${feet} ${crest(feet) + 2 * unit}) scale(${0.86 * unit})">${scout}</g>`;
  return [
    { svg: sheetOf(size, flakes(random, size, unit)), adds: true, gain: 0.8 },
    { svg: sheetOf(size, trees + ground + figure, snow) },
  ];
}

/** Fewer to the left, where words stand. */
function flakes(random: Random, { width, height }: Size, unit: number): string {
  return Array.from({ length: 90 }, () => {
    const radius = (0.4 + random() ** 3 * 1.9) * unit;
    const x = (width > height ? 0.12 + random() * 0.88 : random()) * width;
    const opacity = 0.12 + random() * 0.35;
    return `<circle cx="${x}" cy="${random() * height * 0.8}" r="${radius}" fill="#cfe2f5" opacity="${opacity}"/>`;
  }).join('');
}
