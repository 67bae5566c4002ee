// Camera and film effects: bloom, light rays, a filmic tone curve and color grading.
import { at, between, blurred, type FloatImage, halved, type Layer } from './image.ts';

export interface Grade {
  exposure: number;
  /** The strength of the bloom, and the brightness above which it starts. */
  bloom: number;
  knee: number;
  /** Light shafts from this point of the picture, 0 to 1 from the top left. */
  rays?: { from: [number, number]; strength: number; tint: [number, number, number] };
  vignette: number;
  saturation: number;
  contrast: number;
}

const bloomWeights = [0.1, 0.13, 0.16, 0.18, 0.18, 0.14, 0.11];

/**
 * Converts linear light to 8-bit sRGB. The mask contains the coverage by objects in front of the
 * light.
 */
export function graded(image: FloatImage, grade: Grade, mask: Float32Array): Buffer {
  const { width, height, data } = image;
  const glow = bloomOf(image, grade.knee);
  const rays = grade.rays && raysOf(image, grade.rays.from);
  const tint = grade.rays?.tint ?? [0, 0, 0];
  const random = randomFrom(12345);
  const out = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const pixel = y * width + x;
      const u = (x + 0.5) / width;
      const v = (y + 0.5) / height;
      const inFront = mask[pixel] ?? 0;
      const edge = Math.min(1, ((u - 0.5) ** 2 * 1.1 + (v - 0.5) ** 2) * 2.2);
      const light = grade.exposure * (1 - grade.vignette * edge);
      const color = [0, 1, 2].map((k) => {
        let value = data[pixel * 4 + k] ?? 0;
        value += glowAt(glow, u, v, k) * grade.bloom * (1 - 0.55 * inFront);
        if (rays && grade.rays)
          value +=
            between(rays, u, v, k) * grade.rays.strength * (tint[k] ?? 0) * (1 - 0.93 * inFront);
        return filmic(value * light);
      });
      const gray = luminance(color);
      for (let k = 0; k < 3; k++) {
        const saturated = Math.max(0, gray + ((color[k] ?? 0) - gray) * grade.saturation);
        const shown = (encoded(saturated) - 0.5) * grade.contrast + 0.5;
        // Noise of less than one step: without it dark skies show bands.
        const dither = (random() + random() - 1) * 0.75;
        out[pixel * 3 + k] = Math.max(0, Math.min(255, Math.floor(shown * 255 + 0.5 + dither)));
      }
    }
  return out;
}

/** Grading of a cut-out object: tone curve and saturation only, with alpha unchanged. */
export function gradedCutOut(image: FloatImage, exposure: number, saturation: number): Buffer {
  const pixels = image.width * image.height;
  const out = Buffer.alloc(pixels * 4);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const alpha = Math.max(0, Math.min(1, image.data[pixel * 4 + 3] ?? 0));
    const color = [0, 1, 2].map((k) =>
      filmic(alpha > 0.001 ? ((image.data[pixel * 4 + k] ?? 0) / alpha) * exposure : 0),
    );
    const gray = luminance(color);
    color.forEach((value, k) => {
      const saturated = Math.max(0, Math.min(1, gray + (value - gray) * saturation));
      out[pixel * 4 + k] = Math.round(255 * saturated ** (1 / 2.2));
    });
    out[pixel * 4 + 3] = Math.round(alpha * 255);
  }
  return out;
}

/** Blurred copies of the bright parts, at decreasing sizes. */
function bloomOf({ data, width, height }: FloatImage, knee: number): Layer[] {
  const bright = new Float32Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const brightest = brightestOf(data, pixel);
    const share = Math.max(0, brightest - knee) / Math.max(brightest, 1e-4);
    for (let k = 0; k < 3; k++)
      bright[pixel * 3 + k] = Math.min(data[pixel * 4 + k] ?? 0, 6) * share;
  }
  const levels: Layer[] = [];
  let level: Layer = { data: bright, width, height };
  while (levels.length < bloomWeights.length && Math.min(level.width, level.height) > 8) {
    level = blurred(halved(level));
    levels.push(level);
  }
  return levels;
}

function glowAt(levels: Layer[], u: number, v: number, channel: number): number {
  return levels.reduce(
    (sum, level, i) => sum + (bloomWeights[i] ?? 0) * between(level, u, v, channel),
    0,
  );
}

const raySteps = 90;

/** A radial blur towards the light, at a quarter of the size. */
function raysOf({ data, width, height }: FloatImage, light: [number, number]): Layer {
  const bright = new Float32Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const share = Math.min(1, Math.max(0, brightestOf(data, pixel) - 0.42) * 1.4);
    for (let k = 0; k < 3; k++)
      bright[pixel * 3 + k] = Math.min(data[pixel * 4 + k] ?? 0, 2) * share;
  }
  const source = blurred(halved(halved({ data: bright, width, height })));
  const rays: Layer = { ...source, data: new Float32Array(source.data.length) };
  for (let y = 0; y < rays.height; y++)
    for (let x = 0; x < rays.width; x++) addRay(rays, source, light, x, y);
  return blurred(blurred(rays));
}

function addRay(rays: Layer, source: Layer, light: [number, number], x: number, y: number): void {
  const u = (x + 0.5) / rays.width;
  const v = (y + 0.5) / rays.height;
  const stepU = ((light[0] - u) / raySteps) * 0.92;
  const stepV = ((light[1] - v) / raySteps) * 0.92;
  const jitter = ((x * 7 + y * 13) % 16) / 16;
  let weight = 1;
  let weights = 0;
  const sum: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < raySteps; i++) {
    const px = Math.floor((u + stepU * (i + jitter)) * rays.width);
    const py = Math.floor((v + stepV * (i + jitter)) * rays.height);
    const sx = Math.min(rays.width - 1, Math.max(0, px));
    const sy = Math.min(rays.height - 1, Math.max(0, py));
    for (const k of [0, 1, 2] as const) sum[k] += at(source, sx, sy, k) * weight;
    weights += weight;
    weight *= 0.982;
  }
  sum.forEach((value, k) => {
    rays.data[(y * rays.width + x) * 3 + k] = value / weights;
  });
}

function brightestOf(data: Float32Array, pixel: number): number {
  return Math.max(data[pixel * 4] ?? 0, data[pixel * 4 + 1] ?? 0, data[pixel * 4 + 2] ?? 0);
}

/** The usual fit of the ACES film curve. */
function filmic(x: number): number {
  return Math.max(0, Math.min(1, (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14)));
}

function luminance(color: readonly number[]): number {
  return 0.2126 * (color[0] ?? 0) + 0.7152 * (color[1] ?? 0) + 0.0722 * (color[2] ?? 0);
}

function encoded(linear: number): number {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
}

function randomFrom(start: number): () => number {
  let seed = start;
  return () => {
    seed = (seed * 1664525 + 1013904223) >>> 0;
    return seed / 4294967296;
  };
}
