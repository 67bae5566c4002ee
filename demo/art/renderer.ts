// Draws fragment shaders in headless Chromium, on the processor alone: no graphics card is needed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import type { FloatImage } from './image.ts';

type Uniform = number | number[] | { type: 'vec4' | 'mat3'; data: number[] };
export type Uniforms = Record<string, Uniform>;

interface Drawing {
  shader: string;
  width: number;
  height: number;
  samples: number;
  uniforms: Uniforms;
  progress: (percent: number) => void;
}

export interface Renderer {
  draw(drawing: Drawing): Promise<FloatImage>;
  close(): Promise<void>;
}

// Small tiles keep every draw call short; a long one counts as a hang and is ended.
const tile = 160;

const softwareOnly = [
  '--headless',
  '--no-sandbox',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
  '--disable-gpu-watchdog',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
];

export async function openRenderer(): Promise<Renderer> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: softwareOnly,
  });
  const page = await browser.newPage();
  await page.addScriptTag({
    content: readFileSync(join(import.meta.dirname, 'browser.js'), 'utf8'),
  });
  const call = (name: string, ...args: unknown[]): Promise<unknown> =>
    page.evaluate(`window.${name}(...${JSON.stringify(args)})`);

  async function draw(drawing: Drawing): Promise<FloatImage> {
    const { width, height, samples, uniforms } = drawing;
    await call('useShader', drawing.shader, tile);
    const data = new Float32Array(width * height * 4);
    for (let bottom = 0; bottom < height; bottom += tile) {
      for (let left = 0; left < width; left += tile) {
        const at = { size: [width, height], offset: [left, bottom], samples, uniforms };
        copyTile(floatsOf(await call('drawTile', at)), { data, width, height }, left, bottom);
      }
      drawing.progress(Math.min(100, Math.round(((bottom + tile) / height) * 100)));
    }
    return { data, width, height };
  }

  return { draw, close: () => browser.close() };
}

function floatsOf(base64: unknown): Float32Array {
  const bytes = Buffer.from(String(base64), 'base64');
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

function copyTile(drawn: Float32Array, image: FloatImage, left: number, bottom: number): void {
  const columns = Math.min(tile, image.width - left);
  for (let line = 0; line < tile && bottom + line < image.height; line++) {
    // WebGL counts lines from the bottom, an image from the top.
    const row = image.height - 1 - (bottom + line);
    const from = line * tile * 4;
    image.data.set(drawn.subarray(from, from + columns * 4), (row * image.width + left) * 4);
  }
}
