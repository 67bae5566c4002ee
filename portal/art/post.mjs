// Float post-processing: composite, god rays, bloom, filmic curve, grading, dithering.
import sharp from 'sharp';

const toLin = new Float32Array(256).map((_, i) => {
  const c = i / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
});
export async function overSvg(f, W, H, svg, { gain = 1, add = false, mask = null } = {}) {
  const { data } = await sharp(Buffer.from(svg))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  for (let i = 0; i < W * H; i++) {
    const a = data[i * 4 + 3] / 255;
    if (!a) continue;
    if (mask) mask[i] = Math.max(mask[i], a);
    for (let k = 0; k < 3; k++) {
      const c = toLin[data[i * 4 + k]] * gain;
      f[i * 4 + k] = add ? f[i * 4 + k] + c * a : f[i * 4 + k] * (1 - a) + c * a;
    }
  }
}
function down(src, W, H) {
  const w = Math.max(1, W >> 1),
    h = Math.max(1, H >> 1);
  const d = new Float32Array(w * h * 3);
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++)
      for (let k = 0; k < 3; k++) {
        const x2 = Math.min(W - 1, x * 2 + 1),
          y2 = Math.min(H - 1, y * 2 + 1);
        d[(y * w + x) * 3 + k] =
          0.25 *
          (src[(y * 2 * W + x * 2) * 3 + k] +
            src[(y * 2 * W + x2) * 3 + k] +
            src[(y2 * W + x * 2) * 3 + k] +
            src[(y2 * W + x2) * 3 + k]);
      }
  return [d, w, h];
}
function blur(s, W, H) {
  // 5-tap binomial, both axes
  const t = new Float32Array(s.length),
    o = new Float32Array(s.length);
  const k5 = [1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16];
  for (let y = 0; y < H; y++)
    for (let x = 0; x < W; x++)
      for (let k = 0; k < 3; k++) {
        let a = 0;
        for (let j = -2; j <= 2; j++)
          a += k5[j + 2] * s[(y * W + Math.min(W - 1, Math.max(0, x + j))) * 3 + k];
        t[(y * W + x) * 3 + k] = a;
      }
  for (let y = 0; y < H; y++)
    for (let x = 0; x < W; x++)
      for (let k = 0; k < 3; k++) {
        let a = 0;
        for (let j = -2; j <= 2; j++)
          a += k5[j + 2] * t[(Math.min(H - 1, Math.max(0, y + j)) * W + x) * 3 + k];
        o[(y * W + x) * 3 + k] = a;
      }
  return o;
}
const bil = (s, w, h, u, v, k) => {
  const x = Math.min(w - 1.001, Math.max(0, u * w - 0.5)),
    y = Math.min(h - 1.001, Math.max(0, v * h - 0.5));
  const xi = x | 0,
    yi = y | 0,
    fx = x - xi,
    fy = y - yi;
  const x1 = Math.min(w - 1, xi + 1),
    y1 = Math.min(h - 1, yi + 1);
  return (
    (s[(yi * w + xi) * 3 + k] * (1 - fx) + s[(yi * w + x1) * 3 + k] * fx) * (1 - fy) +
    (s[(y1 * w + xi) * 3 + k] * (1 - fx) + s[(y1 * w + x1) * 3 + k] * fx) * fy
  );
};
export function finish(
  f,
  W,
  H,
  {
    sun,
    rays = 0.5,
    bloom = 0.3,
    exposure = 1,
    knee = 0.85,
    vignette = 0.25,
    gradeShadow = [0, 0, 0],
    mask = null,
    sat = 1.08,
    contrast = 1.04,
  } = {},
) {
  const b = new Float32Array(W * H * 3);
  for (let i = 0; i < W * H; i++) {
    const l = Math.max(f[i * 4], f[i * 4 + 1], f[i * 4 + 2]);
    const m = Math.max(0, l - knee) / Math.max(l, 1e-4);
    const m2 = m;
    for (let k = 0; k < 3; k++) b[i * 3 + k] = Math.min(f[i * 4 + k], 6) * m2;
  }
  const lv = [];
  let cur = b,
    w = W,
    h = H;
  for (let i = 0; i < 7 && Math.min(w, h) > 8; i++) {
    [cur, w, h] = down(cur, w, h);
    cur = blur(cur, w, h);
    lv.push([cur, w, h]);
  }
  // god rays at 1/4 resolution from the bright image
  const [, ,] = [0, 0, 0];
  let R = null,
    rw = 0,
    rh = 0;
  if (sun && rays) {
    const s = new Float32Array(W * H * 3);
    for (let i = 0; i < W * H; i++) {
      const l = Math.max(f[i * 4], f[i * 4 + 1], f[i * 4 + 2]);
      const m = Math.min(1, Math.max(0, l - 0.42) * 1.4);
      for (let k = 0; k < 3; k++) s[i * 3 + k] = Math.min(f[i * 4 + k], 2) * m;
    }
    let q = s;
    rw = W;
    rh = H;
    for (let i = 0; i < 2; i++) [q, rw, rh] = down(q, rw, rh);
    q = blur(q, rw, rh);
    R = new Float32Array(rw * rh * 3);
    const N = 90;
    for (let y = 0; y < rh; y++)
      for (let x = 0; x < rw; x++) {
        const u = (x + 0.5) / rw,
          v = (y + 0.5) / rh;
        const du = ((sun[0] - u) / N) * 0.92,
          dv = ((sun[1] - v) / N) * 0.92;
        let a0 = 0,
          a1 = 0,
          a2 = 0,
          wt = 1,
          ws = 0;
        const jit = ((x * 7 + y * 13) % 16) / 16;
        for (let i = 0; i < N; i++) {
          const uu = u + du * (i + jit),
            vv = v + dv * (i + jit);
          const xi = Math.min(rw - 1, Math.max(0, (uu * rw) | 0)),
            yi = Math.min(rh - 1, Math.max(0, (vv * rh) | 0));
          const o = (yi * rw + xi) * 3;
          a0 += q[o] * wt;
          a1 += q[o + 1] * wt;
          a2 += q[o + 2] * wt;
          ws += wt;
          wt *= 0.982;
        }
        const o = (y * rw + x) * 3;
        R[o] = a0 / ws;
        R[o + 1] = a1 / ws;
        R[o + 2] = a2 / ws;
      }
    R = blur(blur(R, rw, rh), rw, rh);
  }
  const out = Buffer.alloc(W * H * 3);
  const wts = [0.1, 0.13, 0.16, 0.18, 0.18, 0.14, 0.11];
  const aces = (x) => (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14);
  let seed = 12345;
  const rnd = () => {
    seed = (seed * 1664525 + 1013904223) >>> 0;
    return seed / 4294967296;
  };
  for (let y = 0; y < H; y++)
    for (let x = 0; x < W; x++) {
      const u = (x + 0.5) / W,
        v = (y + 0.5) / H;
      const i = y * W + x;
      const c = [0, 0, 0];
      const dx = u - 0.5,
        dy = v - 0.5;
      const vg = 1 - vignette * Math.min(1, (dx * dx * 1.1 + dy * dy) * 2.2);
      for (let k = 0; k < 3; k++) {
        let val = f[i * 4 + k];
        let bl = 0;
        for (let L = 0; L < lv.length; L++)
          bl += wts[L] * bil(lv[L][0], lv[L][1], lv[L][2], u, v, k);
        val += bl * bloom * (mask ? 1 - 0.55 * mask[i] : 1);
        if (R)
          val +=
            bil(R, rw, rh, u, v, k) * rays * [1, 0.72, 0.6][k] * (mask ? 1 - 0.93 * mask[i] : 1);
        c[k] = val * exposure * vg + gradeShadow[k];
      }
      for (let k = 0; k < 3; k++) c[k] = Math.max(0, Math.min(1, aces(c[k])));
      const l = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
      for (let k = 0; k < 3; k++) {
        let z = l + (c[k] - l) * sat;
        z = Math.max(0, z);
        z = z <= 0.0031308 ? 12.92 * z : 1.055 * z ** (1 / 2.4) - 0.055;
        z = (z - 0.5) * contrast + 0.5;
        out[i * 3 + k] = Math.max(
          0,
          Math.min(255, Math.floor(z * 255 + 0.5 + (rnd() + rnd() - 1) * 0.75)),
        );
      }
    }
  return out;
}
