// A race over a city in the rain: an anti-gravity track, gates of light; the currency is volt cells.
import type { Grade } from '../../grade.ts';
import { type Picture, type Size, tall, wide } from '../../scene.ts';
import { cells } from './cells.ts';
import { skyline } from './skyline.ts';

interface View {
  vanishingX: number;
  horizonY: number;
  focal: number;
}

const grade: Grade = {
  exposure: 1,
  bloom: 0.6,
  knee: 0.55,
  vignette: 0.28,
  saturation: 1.1,
  contrast: 1.13,
};

/** The racer and the first gate. */
const icon = { file: 'neon-meridian-icon-160.webp', left: 1.14, top: 0.38, side: 0.52 };

function keyArt(name: string, size: Size, view: View): Picture {
  return {
    kind: 'key-art',
    name,
    ...size,
    shader: 'hero.frag',
    samples: 3,
    uniforms: { uView: [view.vanishingX, view.horizonY, view.focal, 0], ...skyline() },
    grade,
    cuts: name.endsWith('wide') ? [icon] : [],
    details: name.endsWith('wide') ? details : [],
  };
}

/** The craft, the rain between the towers, the gates of the track, the windows above it. */
const details = [
  { name: 'neon-meridian-detail-1', left: 0.54, top: 0.54, width: 0.38 },
  { name: 'neon-meridian-detail-2', left: 0.18, top: 0.02, width: 0.4 },
  { name: 'neon-meridian-detail-3', left: 0.56, top: 0.22, width: 0.34 },
  { name: 'neon-meridian-detail-4', left: 0.6, top: 0, width: 0.4 },
];

export const pictures: readonly Picture[] = [
  keyArt('neon-meridian-hero-wide', wide, { vanishingX: 0.27, horizonY: 0.02, focal: 1.25 }),
  keyArt('neon-meridian-hero-tall', tall, { vanishingX: -0.02, horizonY: 0.05, focal: 1.15 }),
  ...cells,
];
