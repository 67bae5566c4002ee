// PNG masters -> the files the page ships.
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import sharp from 'sharp';

rmSync('public/art', { recursive: true, force: true });
mkdirSync('public/art', { recursive: true });
const wide = existsSync('art/out/hero-wide.png') ? 'art/out/hero-wide.png' : 'art/out/pvw.png';
const tall = existsSync('art/out/hero-tall.png') ? 'art/out/hero-tall.png' : 'art/out/pvt.png';
const out = [];
const save = async (p, f) => {
  await p.toFile(`public/art/${f}`);
  out.push(f);
};
for (const w of [960, 1440, 1920]) {
  await save(
    sharp(wide).resize(w).avif({ quality: 58, effort: 5, chromaSubsampling: '4:2:0', bitdepth: 8 }),
    `hero-wide-${w}.avif`,
  );
  await save(sharp(wide).resize(w).webp({ quality: 80, effort: 5 }), `hero-wide-${w}.webp`);
}
for (const w of [540, 828, 1080]) {
  await save(sharp(tall).resize(w).avif({ quality: 56, effort: 5 }), `hero-tall-${w}.avif`);
  await save(sharp(tall).resize(w).webp({ quality: 78, effort: 5 }), `hero-tall-${w}.webp`);
}
for (const k of [
  'shard1',
  'shard2',
  'shard3',
  'shard4',
  'shard5',
  'shard6',
  'coin1',
  'coin2',
  'coin3',
  'coin4',
  'coin5',
  'coin6',
])
  for (const s of [96, 256, 384])
    await save(
      sharp(`art/out/${k}.png`)
        .resize(s, s, { kernel: 'lanczos3' })
        .avif({ quality: 54, effort: 6 }),
      `${k}-${s}.avif`,
    );
await save(
  sharp('art/out/coin1.png')
    .trim({ threshold: 1 })
    .resize(96, 96, { fit: 'contain', background: '#00000000' })
    .webp({ quality: 86, alphaQuality: 92 }),
  'coin-icon-96.webp',
);
const m = await sharp(wide).metadata();
const sx = Math.round(m.width * 0.5 + 0.4 * m.height),
  U = m.height / 760;
const ax = Math.round(sx - 34 * U - 58 * U),
  ay = Math.round(262 * U);
await save(
  sharp(wide)
    .extract({ left: ax, top: ay, width: Math.round(118 * U), height: Math.round(118 * U) })
    .resize(160, 160)
    .modulate({ brightness: 1.1 })
    .webp({ quality: 82 }),
  'avatar-160.webp',
);
await save(
  sharp(wide)
    .extract({
      left: Math.round(m.width * 0.3),
      top: Math.round(m.height * 0.12),
      width: Math.round(m.width * 0.66),
      height: Math.round(m.width * 0.66 * 0.3),
    })
    .resize(960)
    .avif({ quality: 52 }),
  'pass-960.avif',
);
for (const f of out) console.log(String(statSync(`public/art/${f}`).size).padStart(8), f);
