import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { openGL } from './gl.mjs';

const arg = Object.fromEntries(process.argv.slice(2).map((a) => a.split('=')));
const S = +(arg.size ?? 256),
  n = +(arg.n ?? 3);
const mat = (ax, ay, az) => {
  const c = Math.cos,
    s = Math.sin;
  const X = [
      [1, 0, 0],
      [0, c(ax), -s(ax)],
      [0, s(ax), c(ax)],
    ],
    Y = [
      [c(ay), 0, s(ay)],
      [0, 1, 0],
      [-s(ay), 0, c(ay)],
    ],
    Z = [
      [c(az), -s(az), 0],
      [s(az), c(az), 0],
      [0, 0, 1],
    ];
  const mul = (A, B) => A.map((r) => B[0].map((_, j) => r.reduce((q, v, k) => q + v * B[k][j], 0)));
  const M = mul(Z, mul(X, Y));
  return M.flat();
};
const T = {
  coin1: { z: 2.15, c: [[[0, 0, 0], 1.12, [-1.16, 0, -0.2]]] },
  coin2: {
    z: 1.78,
    c: [
      [[-0.05, 0.3, 0.25], 1.0, [-1.15, 0, 0.16]],
      [[-0.92, -0.62, -0.1], 0.72, [-0.62, 0, 0.42]],
      [[0.92, -0.62, -0.15], 0.72, [-0.75, 0, -0.46]],
    ],
  },
  coin3: {
    z: 1.62,
    c: [
      ...Array.from({ length: 5 }, (_, i) => [
        [-0.95 + (i % 2) * 0.06, -1.05 + i * 0.2, 0.2 + (i % 3) * 0.04],
        0.78,
        [0.02, i * 0.9, 0],
      ]),
      ...Array.from({ length: 3 }, (_, i) => [
        [0.98 - (i % 2) * 0.05, -1.05 + i * 0.2, 0.1],
        0.78,
        [0, i * 1.3, 0],
      ]),
      [[0.1, 0.42, 0.55], 1.05, [-1.12, 0, -0.12]],
      [[0.05, -0.86, -0.75], 0.62, [-0.55, 0, 0.1]],
    ],
  },
  coin4: {
    z: 1.44,
    c: [
      ...Array.from({ length: 6 }, (_, i) => [
        [-1.2 + (i % 2) * 0.06, -1.15 + i * 0.2, 0.25],
        0.76,
        [0.02, i * 0.9, 0],
      ]),
      ...Array.from({ length: 4 }, (_, i) => [
        [1.22 - (i % 2) * 0.05, -1.15 + i * 0.2, 0.2],
        0.76,
        [0, i * 1.3, 0],
      ]),
      [[0.02, 0.5, 0.6], 1.18, [-1.14, 0, -0.1]],
      [[-0.42, -0.88, -0.7], 0.66, [-0.62, 0, 0.22]],
      [[0.62, -0.92, -0.75], 0.6, [-0.5, 0, -0.25]],
      [[1.12, 0.62, 0.1], 0.34, [-0.9, 0, -0.5]],
      [[-1.16, 0.72, 0.2], 0.3, [-1.2, 0, 0.5]],
    ],
  },
  // Three stacks that rise to the right, with spilled coins in front.
  coin5: {
    z: 1.4,
    c: [
      ...Array.from({ length: 4 }, (_, i) => [
        [-1.34 + (i % 2) * 0.06, -1.15 + i * 0.2, 0.1],
        0.74,
        [0.02, i * 0.9, 0],
      ]),
      ...Array.from({ length: 10 }, (_, i) => [
        [1.28 - (i % 3) * 0.05, -1.15 + i * 0.2, 0.3],
        0.74,
        [0, i * 1.3, 0.01],
      ]),
      ...Array.from({ length: 7 }, (_, i) => [
        [-0.02 + (i % 2) * 0.05, -1.15 + i * 0.2, 0.95],
        0.74,
        [0.02, i * 1.7, 0],
      ]),
      [[-0.36, 0.66, 0.55], 1.02, [-1.12, 0, 0.14]],
      [[-0.5, -0.9, -0.7], 0.64, [-0.62, 0, 0.22]],
      [[0.62, -0.94, -0.72], 0.58, [-0.5, 0, -0.28]],
    ],
  },
  // A great coin in a wheel of small ones.
  coin6: {
    z: 1.36,
    c: [
      [[0, 0.12, 0.2], 1.3, [-1.2, 0, -0.08]],
      ...Array.from({ length: 14 }, (_, i) => {
        const turn = (i / 14) * 2 * Math.PI + 0.22;
        return [
          [1.62 * Math.cos(turn), 0.12 + 1.5 * Math.sin(turn), 0.1 - 0.5 * Math.sin(turn)],
          0.27 + 0.06 * (i % 2),
          [-1.1 + 0.35 * Math.sin(turn), 0, -0.5 * Math.cos(turn)],
        ];
      }),
      [[-0.72, -0.98, -0.75], 0.62, [-0.62, 0, 0.3]],
      [[0.02, -1.08, -1.0], 0.6, [-0.7, 0, -0.05]],
      [[0.76, -0.98, -0.78], 0.62, [-0.55, 0, -0.32]],
    ],
  },
};
const gl = await openGL();
const fs =
  readFileSync('art/shaders/common.glsl', 'utf8') + readFileSync('art/shaders/coin.frag', 'utf8');
const aces = (x) =>
  Math.max(0, Math.min(1, (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14)));
for (const [k, t] of Object.entries(T).filter(([k]) => !arg.only || arg.only.includes(k))) {
  const pos = new Array(96).fill(0),
    rot = new Array(216).fill(0);
  t.c.forEach(([p, s, r], i) => {
    pos.splice(i * 4, 4, ...p, s);
    rot.splice(i * 9, 9, ...mat(...r));
  });
  const f = await gl.render(fs, {
    width: S,
    height: S,
    samples: n,
    tile: Math.min(S, 256),
    uniforms: {
      uN: t.c.length,
      uZoom: t.z,
      uPos: { type: '4fv', data: pos },
      uRot: { type: 'mat3', data: rot },
    },
    label: k,
  });
  const b = Buffer.alloc(S * S * 4);
  for (let i = 0; i < S * S; i++) {
    const a = Math.max(0, Math.min(1, f[i * 4 + 3]));
    for (let c = 0; c < 3; c++)
      b[i * 4 + c] = Math.round(255 * aces((a > 0.001 ? f[i * 4 + c] / a : 0) * 0.85) ** (1 / 2.2));
    b[i * 4 + 3] = Math.round(a * 255);
  }
  await sharp(b, { raw: { width: S, height: S, channels: 4 } })
    .png()
    .toFile(`art/out/${k}.png`);
}
await gl.close();
