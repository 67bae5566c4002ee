// The Galewrack herself, seen from the side: bow to the left, waterline at 0, some 390 units long. The flash lights her from behind.
import { seeded } from '../../placing.ts';
import { type Point, pathThrough } from '../../sheets.ts';

type Random = () => number;

const canvas = (id: string, lit: string, half: string, dark: string) =>
  `<linearGradient id="${id}" x1="1" y1="0" x2="0" y2=".8"><stop offset="0" stop-color="${lit}"/><stop offset=".5" stop-color="${half}"/><stop offset="1" stop-color="${dark}"/></linearGradient>`;

export const paints = [
  canvas('sailA', '#7f9a90', '#3d5350', '#16211f'),
  canvas('sailB', '#6c857c', '#31433f', '#101917'),
  canvas('sailC', '#5d746c', '#283835', '#0c1413'),
  '<linearGradient id="hull" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#1c1a14"/><stop offset=".5" stop-color="#0e0d0a"/><stop offset="1" stop-color="#040605"/></linearGradient>',
  '<radialGradient id="lantern"><stop offset="0" stop-color="#ffb552" stop-opacity=".55"/><stop offset=".14" stop-color="#ff9a36" stop-opacity=".22"/><stop offset=".45" stop-color="#ff8a28" stop-opacity=".07"/><stop offset="1" stop-color="#ff8a20" stop-opacity="0"/></radialGradient>',
].join('');

const hull =
  '<path d="M-146 -34 L-232 -74 L-234 -70 L-144 -22 Z" fill="#070908"/><path d="M-150 -34 C-120 -22 -60 -16 0 -16 C50 -16 84 -20 96 -22 L98 -38 L128 -42 L130 -56 L160 -62 C163 -40 160 -14 150 6 C146 20 140 28 128 34 L-96 34 C-122 24 -140 -4 -150 -34 Z" fill="url(#hull)"/><path d="M-144 -27 C-110 -15 -50 -8 0 -8 C60 -8 110 -14 158 -24 M-136 -13 C-100 0 -50 6 0 6 C60 6 110 0 156 -8" fill="none" stroke="#8a6a35" stroke-opacity=".55" stroke-width="1.5"/><path d="M-150 -34 C-120 -22 -60 -16 0 -16 C50 -16 84 -20 96 -22 L98 -38 L128 -42 L130 -56 L160 -62" fill="none" stroke="#bfe6da" stroke-opacity=".55" stroke-width="1.3"/>';
const sternLantern =
  '<path d="M152 -62 l3 -14 M150 -76 h10" stroke="#1b1408" stroke-width="2"/><path d="M150 -76 l2 -13 h7 l2 13 Z" fill="#5a3d12" stroke="#c8923c" stroke-width="1"/><path d="M151 -89 l4.5 -5 l4.5 5 Z" fill="#8a6424"/>';
const jibs =
  '<path d="M-90 -196 C-118 -150 -150 -108 -204 -66 C-168 -72 -140 -82 -112 -70 L-104 -92 L-98 -84 C-92 -120 -90 -160 -90 -196 Z" fill="url(#sailA)"/><path d="M-100 -122 C-124 -98 -148 -76 -176 -56 C-150 -58 -128 -60 -112 -50 C-106 -72 -102 -98 -100 -122 Z" fill="url(#sailB)"/>';
const spanker =
  '<path d="M90 -150 L146 -172 C150 -140 152 -112 158 -82 L140 -88 L136 -74 L122 -84 L112 -70 L92 -74 Z" fill="url(#sailB)"/><path d="M88 -148 L150 -174 M90 -72 L164 -80" stroke="#060807" stroke-width="2.6"/>';
const pennants =
  '<path transform="translate(3 -297) scale(.62) translate(-3 297)" d="M3 -304 C-14 -312 -26 -298 -44 -306 C-54 -310 -60 -304 -70 -306 L-60 -300 L-72 -294 C-52 -292 -40 -290 -26 -288 C-14 -288 -6 -292 3 -290 Z" fill="#060909"/><path transform="translate(-83 -260) scale(.8) translate(83 260)" d="M-83 -264 C-94 -268 -102 -260 -118 -264 L-110 -259 L-116 -254 C-104 -252 -94 -256 -83 -254 Z" fill="#5c1210"/>';

const sternWindows: readonly Point[] = [
  [134, -34],
  [143, -36],
  [152, -38],
];

/** What burns on board: the stern lantern, the great cabin, a few open gun ports. */
export const lights = [
  '<path d="M151.5 -77 l1.5 -11 h6 l1.5 11 Z" fill="#ffd890"/>',
  ...sternWindows.map(([x, y]) => `<path d="M${x} ${y} v-9 q3 -3.5 6 0 v9 Z" fill="#ffb552"/>`),
  ...[-104, -62, -20, 22, 64].map(
    (x, i) =>
      `<rect x="${x + 1.5}" y="-6" width="5" height="5" fill="#ff9d3a" opacity="${i % 2 ? 0.5 : 0.25}"/>`,
  ),
].join('');

function rope(from: Point, to: Point, thick = 0.8, opacity = 0.9): string {
  return `<path d="${pathThrough([from, to], false)}" stroke="#050808" stroke-opacity="${opacity}" stroke-width="${thick}"/>`;
}

const stays: readonly [Point, Point][] = [
  [
    [-84, -262],
    [-228, -72],
  ],
  [
    [-84, -200],
    [-206, -64],
  ],
  [
    [-84, -140],
    [-180, -54],
  ],
  [
    [2, -300],
    [-84, -196],
  ],
  [
    [2, -220],
    [-84, -110],
  ],
  [
    [86, -244],
    [2, -176],
  ],
  [
    [86, -170],
    [2, -84],
  ],
  [
    [86, -240],
    [158, -62],
  ],
];

interface Mast {
  x: number;
  foot: number;
  height: number;
  spread: number;
  wear: number;
  /** Share of the mast's height, share of the spread, share of the mast the sail hangs down. */
  sails: readonly [number, number, number][];
}

const square: Mast['sails'] = [
  [0.955, 0.52, 0.2],
  [0.74, 0.78, 0.28],
  [0.44, 1, 0.32],
];
const masts: readonly Mast[] = [
  { x: -84, foot: -30, height: 236, spread: 46, wear: 0.22, sails: square },
  { x: 2, foot: -26, height: 278, spread: 54, wear: 0.34, sails: square },
  {
    x: 86,
    foot: -34,
    height: 214,
    spread: 36,
    wear: 0.34,
    sails: [
      [0.93, 0.62, 0.24],
      [0.66, 0.86, 0.3],
    ],
  },
];

interface Sail {
  x: number;
  y: number;
  half: number;
  drop: number;
  wear: number;
  paint: string;
}

/** Hung from a yard and bellied by the wind; the foot is torn, the rest is shot through. */
function sail(random: Random, { x, y, half, drop, wear, paint }: Sail): string {
  const below = half * 1.1;
  const lean = -half * 0.1;
  const foot = Array.from({ length: 23 }, (_, i): Point => {
    const along = i / 22;
    const torn = random() < wear ? -drop * (0.1 + 0.34 * random()) : -drop * 0.035 * random();
    const atCorner = i === 0 || i === 22;
    return [
      x + lean + below - 2 * below * along + (random() - 0.5) * 3,
      y + drop - drop * 0.1 * Math.sin(Math.PI * along) + (atCorner ? 0 : torn),
    ];
  });
  const edge = pathThrough(foot, false).slice(1);
  let cloth = `M${x - half} ${y} Q${x} ${y + 3} ${x + half} ${y} C${x + half * 0.93} ${y + drop * 0.3} ${x + half * 0.92 + lean} ${y + drop * 0.6} ${edge} C${x - half * 1.16 + lean} ${y + drop * 0.62} ${x - half * 1.14} ${y + drop * 0.28} ${x - half} ${y} Z`;
  for (let i = 0; i < 1 + wear * 4; i++) cloth += ` ${hole(random, x, y, half, drop)}`;
  const seams = Array.from({ length: 6 }, (_, i) => {
    const along = -1 + (2 * (i + 1)) / 7;
    return `<path d="M${x + half * along} ${y + 2} Q${x + half * along + lean * 0.3 - 4} ${y + drop * 0.5} ${x + lean + below * along} ${y + drop * 0.78}"/>`;
  }).join('');
  const folds = Array.from({ length: 4 }, (_, i) => {
    const top = x - half + 2 * half * (0.12 + 0.25 * i + random() * 0.08);
    return `<path d="M${top} ${y + 3} Q${top - 5} ${y + drop * 0.3} ${top - 2 + 10 * random()} ${y + drop * 0.66}" stroke-width="${3 + 4 * random()}"/>`;
  }).join('');
  const yard = `<path d="M${x - half - 6} ${y + 1} Q${x} ${y - 2} ${x + half + 6} ${y}" stroke="#080a09" stroke-width="3.4" fill="none" stroke-linecap="round"/><path d="M${x - half - 5} ${y - 0.6} Q${x} ${y - 3.4} ${x + half + 5} ${y - 1.4}" stroke="#9fc9be" stroke-opacity=".35" stroke-width=".8" fill="none"/>`;
  return `<path d="${cloth}" fill="url(#${paint})" fill-rule="evenodd"/><g fill="none" stroke="#071010" stroke-opacity=".35" stroke-width=".7">${seams}</g><g fill="none" stroke="#060d0e" stroke-opacity=".22" stroke-linecap="round">${folds}</g>${yard}`;
}

function hole(random: Random, x: number, y: number, half: number, drop: number): string {
  const middle: Point = [x + (random() - 0.5) * half * 1.4, y + drop * (0.25 + random() * 0.5)];
  const size = 2 + random() * 4;
  const turn = random() * 3;
  const rim = Array.from({ length: 9 }, (_, i): Point => {
    const angle = turn + (i / 9) * Math.PI * 2;
    const reach = size * (0.45 + 1.1 * random());
    return [middle[0] + Math.cos(angle) * reach * 0.8, middle[1] + Math.sin(angle) * reach * 1.7];
  });
  return pathThrough(rim);
}

function shrouds({ x, foot, height }: Mast): string {
  const top = foot - height * 0.62;
  const bottom = foot + 12;
  let ropes = '';
  for (const side of [-1, 1]) {
    for (let i = 0; i < 4; i++)
      ropes += rope([x + side * 2, top], [x + side * (16 + i * 7), bottom], 0.7, 0.8);
    for (let i = 1; i < 12; i++) {
      const down = i / 12;
      const y = top + (bottom - top) * down;
      ropes += rope([x + side * (2 + 14 * down), y], [x + side * (2 + 35 * down), y], 0.5, 0.7);
    }
  }
  return ropes;
}

function rigged(random: Random, mast: Mast, index: number): string {
  const { x, foot, height, spread, wear } = mast;
  const pole = `<path d="M${x - 3.2} ${foot + 10} L${x - 1.2} ${foot - height} L${x + 1.4} ${foot - height} L${x + 3.4} ${foot + 10} Z" fill="#060807"/><path d="M${x + 2.6} ${foot} L${x + 1.2} ${foot - height}" stroke="#b4e0d2" stroke-opacity=".4" stroke-width=".9"/>`;
  const sails = mast.sails.map(([at, width, down], i) =>
    sail(random, {
      x,
      y: foot - height * at,
      half: spread * width,
      drop: height * down,
      wear,
      paint: ['sailA', 'sailB', 'sailC'][(i + index) % 3] ?? 'sailA',
    }),
  );
  const top = `<path d="M${x - 10} ${foot - height * 0.6} h20 l-3 6 h-14 Z" fill="#060807"/>`;
  return pole + shrouds(mast) + sails.join('') + top;
}

function gunPorts(): string {
  return Array.from({ length: 11 }, (_, i) => {
    const x = -104 + i * 21;
    const y = -8 - 0.00054 * x * x;
    return `<rect x="${x}" y="${y}" width="8" height="8" fill="#020303" stroke="#3a3021" stroke-width=".8"/>`;
  }).join('');
}

function railing(): string {
  return Array.from({ length: 30 }, (_, i) => {
    const x = -118 + i * 7.2;
    const y = -19 + (x < -60 ? (x + 60) * 0.12 : 0);
    return `<path d="M${x} ${y} v-7" stroke="#060807" stroke-width="1.2"/>`;
  }).join('');
}

export function ship(): string {
  const random = seeded(41);
  return [
    ...stays.map(([from, to]) => rope(from, to)),
    jibs,
    ...masts.map((mast, i) => rigged(random, mast, i)),
    spanker,
    pennants,
    hull,
    gunPorts(),
    railing(),
    sternLantern,
  ].join('');
}
