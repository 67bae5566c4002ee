// War machines walk a frozen valley at dawn; the currency is reactor cores.
import type { Grade } from '../../grade.ts';
import { type Picture, type Size, tall, wide } from '../../scene.ts';
import { cores } from './cores.ts';
import { ledge } from './ledge.ts';

interface View {
  machineX: number;
  horizonY: number;
  focal: number;
  /** From the machine, in shares of the height. */
  sunX: number;
}

const sunHeight = 0.075;

function gradeFor({ width, height }: Size, view: View): Grade {
  const sunX = 0.5 + ((view.machineX + view.sunX) * height) / width;
  return {
    exposure: 1,
    bloom: 0.42,
    knee: 0.75,
    rays: {
      from: [sunX, 0.5 - view.horizonY - sunHeight],
      strength: 0.13,
      tint: [1, 0.72, 0.6],
    },
    vignette: 0.26,
    saturation: 1.16,
    contrast: 1.14,
  };
}

/** The near machine's head. */
const icon = {
  file: 'ironvale-icon-160.webp',
  left: 1.077,
  top: 0.059,
  side: 0.632,
  brightness: 1.1,
};

function keyArt(name: string, size: Size, view: View): Picture {
  return {
    kind: 'key-art',
    name,
    ...size,
    shader: 'hero.frag',
    samples: 2,
    uniforms: { uView: [view.machineX, view.horizonY, view.focal, view.sunX] },
    grade: gradeFor(size, view),
    sheets: (drawn) => ledge(drawn, view.machineX + view.sunX),
    cuts: name.endsWith('wide') ? [icon] : [],
  };
}

export const pictures: readonly Picture[] = [
  keyArt('ironvale-hero-wide', wide, { machineX: 0.4, horizonY: -0.06, focal: 1.28, sunX: -0.19 }),
  keyArt('ironvale-hero-tall', tall, { machineX: 0.08, horizonY: -0.03, focal: 1.16, sunX: -0.19 }),
  ...cores,
];
