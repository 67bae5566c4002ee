import sharp from 'sharp';
import { type FloatImage, linear } from './image.ts';
import type { Overlay } from './scene.ts';

// The brightness of glowing shapes relative to white.
const glowGain = 3.2;

/** Draws silhouettes over the picture; returns their coverage, 0 to 1 per pixel. */
export async function layOver(
  image: FloatImage,
  overlay: Overlay | undefined,
): Promise<Float32Array> {
  const mask = new Float32Array(image.width * image.height);
  if (overlay === undefined) return mask;
  const dark = await pixelsOf(overlay.dark);
  const glow = await pixelsOf(overlay.glow);
  for (let pixel = 0; pixel < mask.length; pixel++) {
    const covered = (dark[pixel * 4 + 3] ?? 0) / 255;
    const lit = ((glow[pixel * 4 + 3] ?? 0) / 255) * glowGain;
    mask[pixel] = covered;
    for (let k = 0; k < 3; k++) {
      const under = (image.data[pixel * 4 + k] ?? 0) * (1 - covered);
      const over = linear(dark[pixel * 4 + k]) * covered + linear(glow[pixel * 4 + k]) * lit;
      image.data[pixel * 4 + k] = under + over;
    }
  }
  return mask;
}

function pixelsOf(svg: string): Promise<Buffer> {
  return sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer();
}
