// Images in linear light with float values, so that values above 1 survive until the grading.

/** Red, green, blue and alpha per pixel, from the top left. */
export interface FloatImage {
  data: Float32Array;
  width: number;
  height: number;
}

/** Red, green and blue only. */
export interface Layer {
  data: Float32Array;
  width: number;
  height: number;
}

const clamp = (value: number, most: number) => Math.min(most, Math.max(0, value));

/** Half the size; each pixel is the mean of four. */
export function halved(source: Layer): Layer {
  const width = Math.max(1, source.width >> 1);
  const height = Math.max(1, source.height >> 1);
  const data = new Float32Array(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const x2 = Math.min(source.width - 1, x * 2 + 1);
      const y2 = Math.min(source.height - 1, y * 2 + 1);
      for (let k = 0; k < 3; k++) {
        const above = at(source, x * 2, y * 2, k) + at(source, x2, y * 2, k);
        const below = at(source, x * 2, y2, k) + at(source, x2, y2, k);
        data[(y * width + x) * 3 + k] = (above + below) / 4;
      }
    }
  return { data, width, height };
}

const binomial = [1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16];

export function blurred(source: Layer): Layer {
  return blurredAlong(blurredAlong(source, 1, 0), 0, 1);
}

function blurredAlong(source: Layer, dx: number, dy: number): Layer {
  const { width, height } = source;
  const data = new Float32Array(source.data.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let k = 0; k < 3; k++) {
        let sum = 0;
        binomial.forEach((weight, tap) => {
          const px = clamp(x + dx * (tap - 2), width - 1);
          const py = clamp(y + dy * (tap - 2), height - 1);
          sum += weight * at(source, px, py, k);
        });
        data[(y * width + x) * 3 + k] = sum;
      }
  return { data, width, height };
}

export function at(layer: Layer, x: number, y: number, channel: number): number {
  return layer.data[(y * layer.width + x) * 3 + channel] ?? 0;
}

/** Bilinear interpolation; u and v run from 0 to 1. */
export function between(layer: Layer, u: number, v: number, channel: number): number {
  const x = clamp(u * layer.width - 0.5, layer.width - 1.001);
  const y = clamp(v * layer.height - 0.5, layer.height - 1.001);
  const left = Math.floor(x);
  const top = Math.floor(y);
  const right = Math.min(layer.width - 1, left + 1);
  const bottom = Math.min(layer.height - 1, top + 1);
  const above = mix(at(layer, left, top, channel), at(layer, right, top, channel), x - left);
  const below = mix(at(layer, left, bottom, channel), at(layer, right, bottom, channel), x - left);
  return mix(above, below, y - top);
}

function mix(from: number, to: number, share: number): number {
  return from * (1 - share) + to * share;
}

/** From an 8-bit sRGB value to linear light. */
export function linear(value = 0): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
