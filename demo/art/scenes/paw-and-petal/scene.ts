// A garden valley in bright morning light; the currency is honey.
import type { Grade } from '../../grade.ts';
import { type Picture, type Size, tall, wide } from '../../scene.ts';
import { honey } from './honey.ts';
import { petals } from './petals.ts';

const grade: Grade = {
  exposure: 0.74,
  bloom: 0.18,
  knee: 1,
  vignette: 0.16,
  saturation: 1.16,
  contrast: 1.1,
};

/** The fox's head and shoulders. */
const icon = { file: 'paw-and-petal-icon-160.webp', left: 0.37, top: 0.259, side: 0.37 };

function keyArt(name: string, size: Size, view: [number, number, number, number]): Picture {
  return {
    kind: 'key-art',
    name,
    ...size,
    shader: 'hero.frag',
    samples: 2,
    uniforms: { uView: view },
    grade,
    sheets: petals,
    cuts: name.endsWith('tall') ? [icon] : [],
  };
}

export const pictures: readonly Picture[] = [
  keyArt('paw-and-petal-hero-wide', wide, [0.4, 0.07, 1.28, 0]),
  keyArt('paw-and-petal-hero-tall', tall, [-0.05, 0.07, 1.28, 0]),
  ...honey,
];
