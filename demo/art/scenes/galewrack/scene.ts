// A three-master runs before a storm by night; the currency is doubloons.
import type { Grade } from '../../grade.ts';
import { type Picture, type Size, tall, wide } from '../../scene.ts';
import { doubloons } from './doubloons.ts';
import { storm, type View } from './storm.ts';

const grade: Grade = {
  exposure: 0.95,
  bloom: 0.45,
  knee: 0.8,
  vignette: 0.3,
  saturation: 1.14,
  contrast: 1.1,
};

/** The whole ship. */
const icon = {
  file: 'galewrack-icon-160.webp',
  left: 0.12,
  top: 0.074,
  side: 0.741,
  brightness: 1.1,
};

function keyArt(name: string, size: Size, view: View): Picture {
  return {
    kind: 'key-art',
    name,
    ...size,
    shader: 'hero.frag',
    samples: 4,
    uniforms: { uView: [view.shipX, view.horizonY, view.focal, view.flashX] },
    grade,
    sheets: (drawn) => storm(drawn, view),
    cuts: name.endsWith('tall') ? [icon] : [],
  };
}

export const pictures: readonly Picture[] = [
  keyArt('galewrack-hero-wide', wide, { shipX: 0.38, horizonY: -0.1, focal: 1.2, flashX: 0.2 }),
  keyArt('galewrack-hero-tall', tall, { shipX: 0.03, horizonY: -0.06, focal: 1.16, flashX: 0.2 }),
  ...doubloons,
];
