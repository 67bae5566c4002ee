// SVG layers drawn over a picture one after another, some of them behind the shader's foreground.
import sharp from 'sharp';
import { type FloatImage, linear } from './image.ts';

/** An SVG of the picture's size. It covers what is under it, or adds its light. */
export interface Sheet {
  svg: string;
  adds?: boolean;
  /** The brightness of its white relative to white. */
  gain?: number;
  /** Hidden where the shader's alpha is 0. */
  behind?: boolean;
}

/** Returns the coverage by opaque sheets, 0 to 1 per pixel. */
export async function laySheets(
  image: FloatImage,
  sheets: readonly Sheet[],
): Promise<Float32Array> {
  const mask = new Float32Array(image.width * image.height);
  const seen = mask.map((_, pixel) => image.data[pixel * 4 + 3] ?? 1);
  for (const sheet of sheets) {
    const drawn = await sharp(Buffer.from(sheet.svg)).ensureAlpha().raw().toBuffer();
    mask.forEach((covered, pixel) => {
      const shown = sheet.behind ? (seen[pixel] ?? 1) : 1;
      const alpha = ((drawn[pixel * 4 + 3] ?? 0) / 255) * shown;
      if (alpha === 0) return;
      if (!sheet.adds) mask[pixel] = Math.max(covered, alpha);
      for (let k = 0; k < 3; k++) {
        const under = (image.data[pixel * 4 + k] ?? 0) * (sheet.adds ? 1 : 1 - alpha);
        const over = linear(drawn[pixel * 4 + k]) * (sheet.gain ?? 1) * alpha;
        image.data[pixel * 4 + k] = under + over;
      }
    });
  }
  return mask;
}

export type Point = readonly [number, number];

export function sheetOf(
  { width, height }: { width: number; height: number },
  content: string,
  definitions = '',
): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>${definitions}</defs>${content}</svg>`;
}

export function pathThrough(points: readonly Point[], closed = true): string {
  const line = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join(' L');
  return `M${line}${closed ? ' Z' : ''}`;
}
