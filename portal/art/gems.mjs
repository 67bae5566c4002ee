import { mkdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { openGL } from './gl.mjs';

const arg = Object.fromEntries(process.argv.slice(2).map((a) => a.split('=')));
const S = +(arg.size ?? 256),
  n = +(arg.n ?? 4);
const rng = (s) => () => {
  s = (s + 0x6d2b79f5) | 0;
  let t = Math.imul(s ^ (s >>> 15), 1 | s);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
const rotTo = (ax, az, spin) => {
  // local->world columns, then transposed to world->local (column-major for GL)
  const cx = Math.cos(ax),
    sx = Math.sin(ax),
    cz = Math.cos(az),
    sz = Math.sin(az),
    cy = Math.cos(spin),
    sy = Math.sin(spin);
  const Ry = [
      [cy, 0, sy],
      [0, 1, 0],
      [-sy, 0, cy],
    ],
    Rx = [
      [1, 0, 0],
      [0, cx, -sx],
      [0, sx, cx],
    ],
    Rz = [
      [cz, -sz, 0],
      [sz, cz, 0],
      [0, 0, 1],
    ];
  const mul = (A, B) => A.map((r) => B[0].map((_, j) => r.reduce((s, v, k) => s + v * B[k][j], 0)));
  const M = mul(Rz, mul(Rx, Ry));
  // world->local = M^T ; column-major of M^T = rows of M listed
  return {
    w2l: [M[0][0], M[0][1], M[0][2], M[1][0], M[1][1], M[1][2], M[2][0], M[2][1], M[2][2]],
    up: [M[0][1], M[1][1], M[2][1]],
  };
};
function cluster(list) {
  const pos = new Array(80).fill(0),
    shape = new Array(80).fill(1),
    rot = new Array(180).fill(0);
  list.forEach((g, i) => {
    const R = rotTo(g.ax ?? 0, g.az ?? 0, g.spin ?? 0);
    const L = g.len ?? 1.35;
    const root = g.root ?? [0, -0.9, 0];
    const lift = g.float ?? 0;
    const d = L * 0.62 * g.s * 0.82 + lift;
    const c = [root[0] + R.up[0] * d, root[1] + R.up[1] * d, root[2] + R.up[2] * d];
    pos.splice(i * 4, 4, ...(g.at ?? c), g.s);
    shape.splice(i * 4, 4, L, g.w ?? 0.42, g.seed ?? i * 1.7 + 1, g.hue ?? 0);
    rot.splice(i * 9, 9, ...R.w2l);
  });
  return {
    uN: list.length,
    uPos: { type: '4fv', data: pos },
    uShape: { type: '4fv', data: shape },
    uRot: { type: 'mat3', data: rot },
  };
}
function fan(k, seed, { spread = 0.95, big = 1.0, floaters = 0 } = {}) {
  const r = rng(seed);
  const L = [{ s: big, ax: -0.06, az: 0.05, spin: 0.4, len: 1.5, w: 0.4, hue: 0.12, seed: 3.1 }];
  for (let i = 1; i < k; i++) {
    const t = i / k;
    const a = (i % 2 ? 1 : -1) * (0.28 + spread * t * (0.65 + 0.35 * r()));
    const dep = (r() - 0.55) * 0.5;
    L.push({
      s: big * (0.86 - 0.42 * t + 0.1 * (r() - 0.5)),
      az: -a,
      ax: dep * 0.9,
      spin: r() * 6,
      len: 1.25 + r() * 0.35,
      w: 0.34 + r() * 0.12,
      hue: r() < 0.35 ? 0.75 + 0.25 * r() : 0.25 * r(),
      root: [a * 0.16, -0.92, dep * 0.9 - 0.05],
      seed: r() * 20,
    });
  }
  for (let i = 0; i < floaters; i++) {
    const a = -2.4 + (4.8 * (i + 0.5)) / floaters + (r() - 0.5) * 0.4;
    L.push({
      s: 0.15 + r() * 0.1,
      at: [
        Math.sin(a) * (1.25 + r() * 0.35),
        0.25 + Math.cos(a) * (0.95 + r() * 0.25),
        (r() - 0.5) * 0.5,
      ],
      az: -a * 0.6,
      ax: r() - 0.5,
      spin: r() * 6,
      hue: r(),
      seed: r() * 20,
      len: 1.3,
    });
  }
  return L;
}
export const TIERS = {
  shard1: {
    g: [
      {
        s: 1.0,
        az: -0.3,
        ax: -0.12,
        spin: 0.5,
        len: 1.55,
        w: 0.46,
        hue: 0.1,
        at: [0, 0.02, 0],
        seed: 3.1,
      },
    ],
    zoom: 2.15,
  },
  shard2: {
    g: [
      {
        s: 0.86,
        az: -0.12,
        ax: -0.1,
        spin: 0.5,
        len: 1.55,
        w: 0.44,
        hue: 0.08,
        at: [0.02, 0.1, -0.05],
        seed: 3.1,
      },
      {
        s: 0.6,
        az: 0.62,
        ax: 0.1,
        spin: 1.9,
        len: 1.4,
        w: 0.44,
        hue: 0.85,
        at: [-0.72, -0.28, 0.12],
        seed: 7.7,
      },
      {
        s: 0.52,
        az: -0.78,
        ax: -0.1,
        spin: 0.2,
        len: 1.4,
        w: 0.46,
        hue: 0.25,
        at: [0.72, -0.4, 0.05],
        seed: 12.3,
      },
    ],
    zoom: 2.2,
  },
  shard3: { g: fan(6, 21, { big: 0.94, spread: 0.85 }), zoom: 2.45 },
  shard4: { g: fan(10, 5, { big: 1.0, spread: 1.05 }), zoom: 2.3 },
  shard5: { g: fan(11, 33, { big: 0.95, spread: 1.0, floaters: 3 }), zoom: 2.0, ring: 1 },
  shard6: { g: fan(13, 8, { big: 1.06, spread: 1.12, floaters: 6 }), zoom: 1.9, ring: 2 },
};
const only = arg.only?.split(',');
const gl = await openGL();
const fs =
  readFileSync('art/shaders/common.glsl', 'utf8') + readFileSync('art/shaders/gems.frag', 'utf8');
mkdirSync('art/out', { recursive: true });
const aces = (x) =>
  Math.max(0, Math.min(1, (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14)));
for (const [k, t] of Object.entries(TIERS)) {
  if (only && !only.includes(k)) continue;
  const f = await gl.render(fs, {
    width: S,
    height: S,
    samples: n,
    tile: Math.min(S, 256),
    uniforms: { ...cluster(t.g), uRing: t.ring ?? 0, uZoom: t.zoom, uLift: 0 },
    label: k,
  });
  const b = Buffer.alloc(S * S * 4);
  for (let i = 0; i < S * S; i++) {
    const a = Math.max(0, Math.min(1, f[i * 4 + 3]));
    const q = [0, 1, 2].map((c) => aces((a > 0.001 ? f[i * 4 + c] / a : 0) * 0.95));
    const l = 0.2126 * q[0] + 0.7152 * q[1] + 0.0722 * q[2];
    for (let c = 0; c < 3; c++)
      b[i * 4 + c] = Math.round(255 * Math.max(0, Math.min(1, l + (q[c] - l) * 1.28)) ** (1 / 2.2));
    b[i * 4 + 3] = Math.round(a * 255);
  }
  await sharp(b, { raw: { width: S, height: S, channels: 4 } })
    .png()
    .toFile(`art/out/${k}.png`);
}
await gl.close();
