// From a finished master to the files the portal ships.
import { join } from 'node:path';
import sharp from 'sharp';
import type { Cut, Detail, KeyArt, Thing } from './scene.ts';

export async function writeKeyArt(art: KeyArt, master: string, folder: string): Promise<string[]> {
  const isWide = art.width > art.height;
  const written: string[] = [];
  for (const width of isWide ? [960, 1440, 1920] : [540, 828, 1080]) {
    const resized = () => sharp(master).resize(width);
    const stem = join(folder, `${art.name}-${width}`);
    await resized()
      .avif({ quality: isWide ? 58 : 56, effort: 5, chromaSubsampling: '4:2:0', bitdepth: 8 })
      .toFile(`${stem}.avif`);
    await resized()
      .webp({ quality: isWide ? 80 : 78, effort: 5 })
      .toFile(`${stem}.webp`);
    written.push(`${stem}.avif`, `${stem}.webp`);
  }
  for (const cut of art.cuts ?? []) written.push(await writeCut(cut, master, folder));
  for (const detail of art.details ?? []) written.push(await writeDetail(detail, master, folder));
  return written;
}

const detailSize = { width: 640, height: 400 };

async function writeDetail(detail: Detail, master: string, folder: string): Promise<string> {
  const file = join(folder, `${detail.name}-${detailSize.width}.avif`);
  const whole = await sharp(master).metadata();
  const width = Math.round(detail.width * whole.width);
  await sharp(master)
    .extract({
      left: Math.round(detail.left * whole.width),
      top: Math.round(detail.top * whole.height),
      width,
      height: Math.round((width * detailSize.height) / detailSize.width),
    })
    .resize(detailSize)
    .avif({ quality: 56, effort: 5, chromaSubsampling: '4:2:0', bitdepth: 8 })
    .toFile(file);
  return file;
}

async function writeCut(cut: Cut, master: string, folder: string): Promise<string> {
  const file = join(folder, cut.file);
  const { height } = await sharp(master).metadata();
  const pixels = (share: number) => Math.round(share * height);
  await sharp(master)
    .extract({
      left: pixels(cut.left),
      top: pixels(cut.top),
      width: pixels(cut.side),
      height: pixels(cut.side),
    })
    .resize(160, 160)
    .modulate({ brightness: cut.brightness ?? 1 })
    .webp({ quality: 82 })
    .toFile(file);
  return file;
}

export async function writeThing(art: Thing, master: string, folder: string): Promise<string[]> {
  const written: string[] = [];
  for (const side of [96, 256, 384]) {
    const file = join(folder, `${art.name}-${side}.avif`);
    await sharp(master)
      .resize(side, side, { kernel: 'lanczos3' })
      .avif({ quality: 54, effort: 6 })
      .toFile(file);
    written.push(file);
  }
  if (art.icon !== undefined) {
    const file = join(folder, art.icon);
    await sharp(master)
      .trim({ threshold: 1 })
      .resize(96, 96, { fit: 'contain', background: '#00000000' })
      .webp({ quality: 86, alphaQuality: 92 })
      .toFile(file);
    written.push(file);
  }
  return written;
}
