import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { scene } from './figure.mjs';
import { openGL } from './gl.mjs';
import { finish, overSvg } from './post.mjs';

const VARIANTS = {
  wide: { W: 1920, H: 1012, view: [0.4, -0.03, 1.28, 0] },
  tall: { W: 1080, H: 1080, view: [0.1, -0.04, 1.18, 0] },
};
const arg = Object.fromEntries(process.argv.slice(2).map((a) => a.split('=')));
const v = VARIANTS[arg.v ?? 'wide'];
const scale = +(arg.scale ?? 1);
const W = Math.round(v.W * scale),
  H = Math.round(v.H * scale);
const n = +(arg.n ?? 1);
const name = arg.out ?? `hero-${arg.v ?? 'wide'}`;
mkdirSync('art/out', { recursive: true });
const raw = `art/out/${name}-${W}x${H}.f32`;
let f;
if (existsSync(raw) && !arg.force) {
  const b = readFileSync(raw);
  f = new Float32Array(b.buffer, b.byteOffset, W * H * 4).slice();
} else {
  const gl = await openGL();
  const fs =
    readFileSync('art/shaders/common.glsl', 'utf8') + readFileSync('art/shaders/hero.frag', 'utf8');
  f = await gl.render(fs, {
    width: W,
    height: H,
    samples: n,
    tile: 160,
    uniforms: { uView: v.view },
    label: name,
  });
  await gl.close();
  writeFileSync(raw, Buffer.from(f.buffer));
}
const u = H / v.H;
const U = H / 760;
const sunX = W / 2 + v.view[0] * H;
const horizon = H / 2 - v.view[1] * H;
const sunY = horizon - 0.055 * v.view[2] * H;
const wide = (arg.v ?? 'wide') === 'wide';
const fx = sunX + (wide ? -34 : -20) * U;
const fy = wide ? 500 * U : 520 * U;
const fsz = (wide ? 0.86 : 0.8) * U;
const ledge = wide
  ? (x) => {
      const d = (x - fx) / U;
      return (
        fy +
        (d < -40
          ? Math.min(260, (-(d + 40)) ** 1.25 * 0.16)
          : d < 90
            ? 0
            : -Math.min(46, (d - 90) * 0.14)) +
        5 * U * Math.sin(x / (37 * U)) * 0 +
        (d < -40 ? 8 * Math.sin(d * 0.06) : 4 * Math.sin(d * 0.05)) * U * (Math.abs(d) < 40 ? 0 : 1)
      );
    }
  : (x) => {
      const d = (x - fx) / U;
      return (
        fy +
        (d < -40
          ? Math.min(200, (-(d + 40)) ** 1.2 * 0.2)
          : d < 80
            ? 0
            : -Math.min(30, (d - 80) * 0.12)) +
        (Math.abs(d) < 40 ? 0 : 6 * Math.sin(d * 0.06)) * U
      );
    };
const sc = scene({
  W,
  H,
  fx,
  fy: fy + 3 * U,
  fs: fsz,
  ledge,
  grass: Math.round((W / U) * 0.34),
  seed: 11,
  emberBox: [W * (wide ? 0.35 : 0), H * 0.08, W * (wide ? 0.65 : 1), H * 0.62],
  birds: [
    [sunX - 210 * U, sunY - 60 * U, 0.9 * U],
    [sunX - 182 * U, sunY - 78 * U, 0.7 * U],
    [sunX - 238 * U, sunY - 84 * U, 0.6 * U],
    [sunX + 176 * U, sunY - 128 * U, 0.6 * U],
    [sunX + 198 * U, sunY - 116 * U, 0.5 * U],
  ],
});
const mask = new Float32Array(W * H);
await overSvg(f, W, H, sc.dark, { mask });
await overSvg(f, W, H, sc.glow, { gain: 3.2, add: true });
const png = finish(f, W, H, {
  sun: [sunX / W, (sunY + 10 * u) / H],
  rays: +(arg.rays ?? 0.15),
  bloom: +(arg.bloom ?? 0.42),
  exposure: +(arg.exp ?? 0.62),
  knee: 0.7,
  vignette: 0.18,
  mask,
  contrast: +(arg.con ?? 1.1),
  sat: +(arg.sat ?? 1.16),
});
await sharp(png, { raw: { width: W, height: H, channels: 3 } })
  .png()
  .toFile(`art/out/${name}.png`);
console.log('done', name, W, H);
