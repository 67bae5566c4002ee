// A drowned sun at dusk, its currency of crystal shards, and the publisher's E Point coins.
import type { Grade } from '../../grade.ts';
import { type Picture, type Size, tall, wide } from '../../scene.ts';
import { coins } from './coins.ts';
import { shards } from './shards.ts';
import { shoreline } from './shoreline.ts';
import { treasures } from './treasure.ts';

interface View {
  sunX: number;
  horizonY: number;
  focal: number;
}

const wideView: View = { sunX: 0.4, horizonY: -0.03, focal: 1.28 };
const tallView: View = { sunX: 0.1, horizonY: -0.04, focal: 1.18 };

/** In shares of the height, from the top left. */
function sunOf({ width, height }: Size, view: View) {
  return { x: width / height / 2 + view.sunX, y: 0.5 - view.horizonY - 0.055 * view.focal };
}

function gradeFor(size: Size, view: View): Grade {
  const sun = sunOf(size, view);
  const from: [number, number] = [(sun.x * size.height) / size.width, sun.y + 10 / size.height];
  return {
    exposure: 0.62,
    bloom: 0.42,
    knee: 0.7,
    rays: { from, strength: 0.15, tint: [1, 0.72, 0.6] },
    vignette: 0.18,
    saturation: 1.16,
    contrast: 1.1,
  };
}

function keyArt(name: string, size: Size, view: View): Picture {
  return {
    kind: 'key-art',
    name,
    ...size,
    shader: 'hero.frag',
    samples: 4,
    uniforms: { uView: [view.sunX, view.horizonY, view.focal, 0] },
    grade: gradeFor(size, view),
    overlay: (drawn) => shoreline(drawn, sunOf(size, view)),
    cuts: name === 'hero-wide' ? [avatar(), icon()] : [],
    details: name === 'hero-wide' ? details : [],
  };
}

/** The islands over the sea, the wanderer, and the arches of the drowned sun. */
const details = [
  { name: 'solmere-detail-1', left: 0.1, top: 0.06, width: 0.44 },
  { name: 'solmere-detail-2', left: 0.57, top: 0.2, width: 0.3 },
  { name: 'solmere-detail-3', left: 0.75, top: 0.1, width: 0.25 },
];

/** The wanderer's head and shoulders. */
function avatar() {
  const sun = sunOf(wide, wideView);
  const [left, top, side] = [sun.x - 92 / 760, 262 / 760, 118 / 760];
  return { file: 'avatar-160.webp', left, top, side, brightness: 1.1 };
}

/** The wanderer before the sun. */
function icon() {
  const sun = sunOf(wide, wideView);
  return { file: 'solmere-icon-160.webp', left: sun.x - 0.29, top: 0.24, side: 0.46 };
}

export const pictures: readonly Picture[] = [
  keyArt('hero-wide', wide, wideView),
  keyArt('hero-tall', tall, tallView),
  ...shards,
  ...coins,
  ...treasures,
];
