// Six doors of light on still water, one for each game: the publisher's own picture.
import type { Grade } from '../../grade.ts';
import { seeded } from '../../placing.ts';
import { type Picture, type Size, tall, wide } from '../../scene.ts';
import { type Sheet, sheetOf } from '../../sheets.ts';

interface View {
  doorsX: number;
  horizonY: number;
  focal: number;
}

const grade: Grade = {
  exposure: 0.95,
  bloom: 0.55,
  knee: 0.55,
  vignette: 0.22,
  saturation: 1.14,
  contrast: 1.06,
};

const colors = ['#ffcf7a', '#ff7a58', '#ff6cc4', '#ffab55', '#a8ee7c', '#58e6c4'];

/** Motes of light that rise from the doors. */
function motes(size: Size, { doorsX, horizonY, focal }: View): Sheet[] {
  const random = seeded(5);
  const { width, height } = size;
  const unit = height / 760;
  const circles = Array.from({ length: 96 }, () => {
    const door = Math.floor(random() * 6);
    const aside = door - 2.5;
    const away = 31 - 2.4 * (2.5 - Math.abs(aside));
    const x = width / 2 + (doorsX + ((aside * 4.6 + (random() - 0.5) * 5) / away) * focal) * height;
    const y = height / 2 - (horizonY + 0.02) * height - random() ** 0.8 * 330 * unit;
    const radius = (0.5 + random() ** 3 * 1.9) * unit;
    const opacity = 0.2 + random() * 0.7;
    return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colors[door]}" opacity="${opacity}"/>`;
  });
  return [{ svg: sheetOf(size, circles.join('')), adds: true, gain: 1.6 }];
}

function keyArt(name: string, size: Size, view: View): Picture {
  return {
    kind: 'key-art',
    name,
    ...size,
    shader: 'hero.frag',
    samples: 4,
    uniforms: { uView: [view.doorsX, view.horizonY, view.focal, 0] },
    grade,
    sheets: (drawn) => motes(drawn, view),
    cuts: name.endsWith('tall')
      ? [{ file: 'omni-icon-160.webp', left: 0.083, top: 0.167, side: 0.833, brightness: 1.1 }]
      : [],
  };
}

export const pictures: readonly Picture[] = [
  keyArt('omni-hero-wide', wide, { doorsX: 0.36, horizonY: -0.1, focal: 1.36 }),
  keyArt('omni-hero-tall', tall, { doorsX: 0, horizonY: -0.06, focal: 1.05 }),
];
