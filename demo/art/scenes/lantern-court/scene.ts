// A palace at night: red lanterns over tiled roofs, ink-washed peaks; the currency is seals of carved jade.
import type { Grade } from '../../grade.ts';
import { type Picture, type Size, tall, wide } from '../../scene.ts';
import { ladyOnTheRoof } from './lady.ts';
import { lanternRiver } from './lanterns.ts';
import { seals } from './seals.ts';

interface View {
  palaceX: number;
  horizonY: number;
  focal: number;
  moonX: number;
}

const grade: Grade = {
  exposure: 0.86,
  bloom: 0.5,
  knee: 0.62,
  vignette: 0.3,
  saturation: 1.12,
  contrast: 1.1,
};

/** Where the lady stands on the near ridge, in shares of the height from the top left. */
function feetOf({ width, height }: Size, { palaceX, horizonY, focal }: View) {
  const [x, y, z] = [-2.5, 8.02, 17.3];
  const eyeLevel = 9;
  return {
    x: width / height / 2 + palaceX + (x / z) * focal,
    y: 0.5 - horizonY - ((y - eyeLevel) / z) * focal,
  };
}

/** The lady under her parasol, the palace behind. */
const icon = { file: 'lantern-court-icon-160.webp', left: 1.0, top: 0.385, side: 0.35 };

function keyArt(name: string, size: Size, view: View): Picture {
  return {
    kind: 'key-art',
    name,
    ...size,
    shader: 'hero.frag',
    samples: 4,
    uniforms: {
      uView: [view.palaceX, view.horizonY, view.focal, view.moonX],
      ...lanternRiver(),
    },
    grade,
    cuts: name.endsWith('wide') ? [icon] : [],
    details: name.endsWith('wide') ? details : [],
    overlay: (drawn) => ladyOnTheRoof(drawn, feetOf(size, view)),
  };
}

/** The palace, the sky of lanterns, the lady with her parasol, the halls below the mountains. */
const details = [
  { name: 'lantern-court-detail-1', left: 0.66, top: 0.26, width: 0.34 },
  { name: 'lantern-court-detail-2', left: 0.48, top: 0, width: 0.4 },
  { name: 'lantern-court-detail-3', left: 0.51, top: 0.36, width: 0.24 },
  { name: 'lantern-court-detail-4', left: 0.17, top: 0.34, width: 0.36 },
];

export const pictures: readonly Picture[] = [
  keyArt('lantern-court-hero-wide', wide, {
    palaceX: 0.42,
    horizonY: -0.1,
    focal: 1.3,
    moonX: -0.14,
  }),
  keyArt('lantern-court-hero-tall', tall, {
    palaceX: 0.12,
    horizonY: -0.08,
    focal: 1.18,
    moonX: -0.14,
  }),
  ...seals,
];
