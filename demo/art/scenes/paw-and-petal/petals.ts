// Petals on the wind, and flowers so near that they are out of focus.
import { seeded } from '../../placing.ts';
import type { Size } from '../../scene.ts';
import { type Sheet, sheetOf } from '../../sheets.ts';

const colors = ['#ff8f86', '#ffb3ae', '#ffd9d2', '#fff3ea', '#ff7a66'];

type Flower = [x: number, y: number, size: number, color: string];

// In shares of the picture; the ones in the shade on the left are darker.
const nearWide: Flower[] = [
  [0.985, 0.86, 66, '#ff8a7a'],
  [0.93, 0.97, 58, '#ffd3cb'],
  [0.86, 1, 44, '#fff1e2'],
  [0.79, 1.02, 40, '#ff9d92'],
  [1, 1.02, 70, '#b99bf0'],
  [0.7, 1.03, 34, '#ffc64f'],
  [0.4, 1.02, 30, '#c4756c'],
  [0.31, 1.03, 40, '#7d5d7a'],
  [0.22, 1.02, 30, '#5d6b52'],
];
const nearTall: Flower[] = [
  [0.97, 0.93, 62, '#ff8a7a'],
  [0.85, 1, 52, '#ffd3cb'],
  [0.7, 1.02, 42, '#fff1e2'],
  [0.03, 0.96, 58, '#ffb4a8'],
  [0.16, 1.01, 46, '#b99bf0'],
  [0.3, 1.03, 36, '#ffc64f'],
];

function flower(x: number, y: number, size: number, color: string): string {
  const petals = [12, 72, 132, 192, 252, 312].map(
    (turn) =>
      `<ellipse cx="0" cy="${-size * 0.52}" rx="${size * 0.36}" ry="${size * 0.52}" transform="rotate(${turn})" fill="${color}"/>`,
  );
  return `<g transform="translate(${x} ${y}) scale(1 .84)">${petals.join('')}<circle r="${size * 0.26}" fill="#f6b73c"/></g>`;
}

function stalk(x: number, y: number, size: number): string {
  return `<path d="M${x} ${y} q${-size * 0.9} ${-size * 0.2} ${-size * 1.3} ${size * 0.9} M${x} ${y} q${size * 0.7} ${size * 0.1} ${size} ${size * 1.1} M${x} ${y} v${size * 3}" stroke="#3f7a34" stroke-width="${size * 0.13}" fill="none" stroke-linecap="round"/>`;
}

// Words stand at the foot of the tall picture, and the site's own bar at its top.
const shade =
  '<linearGradient id="d" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#0c2430" stop-opacity=".34"/><stop offset=".16" stop-color="#0c2430" stop-opacity="0"/><stop offset=".56" stop-color="#0a1f14" stop-opacity="0"/><stop offset=".78" stop-color="#0a1f14" stop-opacity=".62"/><stop offset="1" stop-color="#07130f" stop-opacity=".9"/></linearGradient>';
const shaded = '<rect width="100%" height="100%" fill="url(#d)"/>';

export function petals(size: Size): Sheet[] {
  const { width, height } = size;
  const isWide = width > height;
  const unit = height / 760;
  const random = seeded(31);
  const inTheAir = Array.from({ length: 46 }, () => {
    const x = (isWide ? 0.3 + 0.7 * random() : random()) * width;
    const y = random() * height * 0.72;
    const scale = (0.25 + 0.75 * random() * random()) * unit;
    const turn = random() * 360;
    const color = colors[Math.floor(random() * colors.length)];
    return `<path transform="translate(${x} ${y}) rotate(${turn}) scale(${scale})" d="M0 -10 C7 -8 9 2 0 10 C-9 2 -6 -8 0 -10 Z" fill="${color}" opacity="${0.55 + 0.4 * random()}"/>`;
  });
  const near = (isWide ? nearWide : nearTall).map(
    ([x, y, span, color]): Flower => [x * width, y * height, span * unit, color],
  );
  const stalks = near.map(([x, y, span]) => stalk(x, y, span)).join('');
  const flowers = near.map((each) => flower(...each)).join('');
  const soft = `<filter id="b" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="${3.4 * unit}"/></filter>`;
  return [
    { svg: sheetOf(size, inTheAir.join('')), gain: 1.05 },
    { svg: sheetOf(size, `<g filter="url(#b)">${stalks}${flowers}</g>`, soft), gain: 0.95 },
    ...(isWide ? [] : [{ svg: sheetOf(size, shaded, shade) }]),
  ];
}
