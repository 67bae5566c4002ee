// The dark shore in front of the drowned sun: ledge, grasses, standing stones, the wanderer, birds, embers.
import { seeded } from '../../placing.ts';
import type { Overlay, Size } from '../../scene.ts';
import { crystal, wanderer, wandererColors } from './wanderer.ts';

// Everything is drawn on a sheet of this height and scaled to the picture.
const sheetHeight = 760;

type Point = [number, number];

interface Shore {
  width: number;
  sun: Point;
  feet: Point;
  figureScale: number;
  /** The height of the ground at x. */
  ground: (x: number) => number;
  embers: { left: number; width: number };
}

/** The sun's place is given in shares of the picture's height. */
export function shoreline(size: Size, sun: { x: number; y: number }): Overlay {
  const width = (size.width / size.height) * sheetHeight;
  const shore = shoreOf(width, [sun.x * sheetHeight, sun.y * sheetHeight]);
  const random = seeded(11);
  const sheet = (content: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${width} ${sheetHeight}">${content}</svg>`;
  const [x, y] = shore.feet;
  const figure = (content: string) =>
    `<g transform="translate(${x} ${y + 3}) scale(${shore.figureScale}) translate(-120 -300)">${content}</g>`;
  const ledge = ledgeOf(shore, random);
  const grasses = grassesOf(shore, random);
  return {
    dark: sheet(
      `<defs>${wandererColors}</defs>${birdsOf(shore)}${stonesOf(shore)}${ledge}${figure(wanderer)}${grasses}`,
    ),
    glow: sheet(embersOf(shore, random) + figure(crystal)),
  };
}

function shoreOf(width: number, sun: Point): Shore {
  const isWide = width > sheetHeight;
  const feet: Point = isWide ? [sun[0] - 34, 500] : [sun[0] - 20, 520];
  return {
    width,
    sun,
    feet,
    figureScale: isWide ? 0.86 : 0.8,
    ground: isWide ? (x) => wideGround(x, feet) : (x) => tallGround(x, feet),
    embers: isWide ? { left: width * 0.35, width: width * 0.65 } : { left: 0, width },
  };
}

function wideGround(x: number, [feetX, feetY]: Point): number {
  const off = x - feetX;
  if (off < -40)
    return feetY + Math.min(195, (-(off + 40)) ** 1.25 * 0.12) + 8 * Math.sin(off * 0.06);
  const rise = off < 90 ? 0 : Math.min(35, (off - 90) * 0.105);
  return feetY - rise + (off < 40 ? 0 : 4 * Math.sin(off * 0.05));
}

function tallGround(x: number, [feetX, feetY]: Point): number {
  const off = x - feetX;
  const wave = Math.abs(off) < 40 ? 0 : 6 * Math.sin(off * 0.06);
  if (off < -40) return feetY + Math.min(140, (-(off + 40)) ** 1.2 * 0.14) + wave;
  return feetY - (off < 80 ? 0 : Math.min(21, (off - 80) * 0.085)) + wave;
}

function ledgeOf({ width, feet, ground }: Shore, random: () => number): string {
  const edge: Point[] = [];
  for (let x = -10; x <= width + 10; x += 9) edge.push([x, ground(x) + (random() - 0.5) * 5]);
  const lit = edge.filter(([x]) => Math.abs(x - feet[0]) < 620);
  const bottom = `L ${width + 10} ${sheetHeight + 10} L -10 ${sheetHeight + 10} Z`;
  return `<path d="${lineOf(edge)} ${bottom}" fill="url(#rock)"/>
    <path d="${lineOf(lit)}" fill="none" stroke="#ff9d63" stroke-opacity=".55" stroke-width="1.5"/>`;
}

function lineOf(points: Point[]): string {
  return points
    .map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join(' ');
}

/** Blades lean to the left: the wind comes from the sun. */
function grassesOf({ width, feet, ground }: Shore, random: () => number): string {
  let drawn = '';
  for (let i = 0; i < Math.round(width * 0.34); i++) {
    const x = random() * width;
    const y = ground(x) + 3;
    const height = 8 + random() * random() * 34;
    const lean = -(0.35 + random() * 0.6) * height;
    const girth = 0.9 + random() * 1.3;
    const nearness = Math.exp(-(((x - feet[0]) / 200) ** 2));
    const isLit = random() < 0.1 + nearness * 0.1;
    const color = isLit ? '#c9744f' : random() < 0.5 ? '#1d1838' : '#121229';
    drawn += `<path d="M${x - girth} ${y} Q ${x + lean * 0.2} ${y - height * 0.6} ${x + lean} ${y - height} Q ${x + lean * 0.25 + girth} ${y - height * 0.5} ${x + girth} ${y} Z" fill="${color}"/>`;
    if (random() < 0.13)
      drawn += `<circle cx="${x + lean}" cy="${y - height}" r="${1.2 + random() * 1.9}" fill="${random() < 0.5 ? '#ffcf8f' : '#8ff0ff'}"/>`;
  }
  return drawn;
}

function stonesOf({ feet, ground }: Shore): string {
  const stones = [
    { off: 196, girth: 11, height: 64, lean: 3 },
    { off: 232, girth: 8, height: 36, lean: -2 },
    { off: 300, girth: 15, height: 112, lean: 5 },
    { off: 352, girth: 9, height: 52, lean: 3 },
    { off: 128, girth: 6, height: 22, lean: 0 },
  ];
  return stones
    .map(({ off, girth, height, lean }) => {
      const x = feet[0] + off;
      const y = ground(x) + 8;
      const shoulder = `${x - girth * 0.82 + lean} ${y - height * 0.93}`;
      return `<path d="M${x - girth} ${y} L${shoulder} L${x - girth * 0.2 + lean} ${y - height} L${x + girth * 0.7 + lean} ${y - height * 0.9} L${x + girth} ${y} Z" fill="#0b0b1d"/>
        <path d="M${shoulder} L${x - girth} ${y}" stroke="#ff9d63" stroke-opacity=".55" stroke-width="1.2" fill="none"/>`;
    })
    .join('');
}

function birdsOf({ sun }: Shore): string {
  const birds = [
    { x: -210, y: -60, scale: 0.9 },
    { x: -182, y: -78, scale: 0.7 },
    { x: -238, y: -84, scale: 0.6 },
    { x: 176, y: -128, scale: 0.6 },
    { x: 198, y: -116, scale: 0.5 },
  ];
  return birds
    .map(
      ({ x, y, scale }) =>
        `<path transform="translate(${sun[0] + x} ${sun[1] + y}) scale(${scale})" d="M-9 -3 Q -4 -5 0 0 Q 4 -6 9 -4 Q 4 -3 0 1.6 Q -4 -2.4 -9 -3 Z" fill="#1a1030"/>`,
    )
    .join('');
}

function embersOf({ embers }: Shore, random: () => number): string {
  let drawn = '';
  for (let i = 0; i < 70; i++) {
    const x = embers.left + random() * embers.width;
    const y = sheetHeight * (0.08 + random() * 0.62);
    const radius = 0.5 + random() * random() * 2.1;
    const color = random() < 0.72 ? '#ffd596' : '#9af3ff';
    drawn += `<circle cx="${x}" cy="${y}" r="${radius}" fill="${color}" opacity="${(0.25 + random() * 0.7).toFixed(2)}"/>`;
  }
  return drawn;
}
