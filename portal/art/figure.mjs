// Foreground silhouettes, drawn as SVG: ledge, grasses, cloaked wanderer with a lantern staff, birds, embers.
const rng = (seed) => () => {
  seed |= 0;
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};

export function wanderer() {
  // 240 x 320 box, feet at y=300, sun behind and slightly right
  return `
  <g>
    <!-- ribbons -->
    <path d="M112 96 C 84 92 66 104 44 96 C 28 90 16 78 -8 82 C 12 88 22 104 44 108 C 68 112 86 102 110 106 Z" fill="url(#ribbon)"/>
    <path d="M110 102 C 90 106 74 122 52 122 C 36 122 26 112 8 118 C 26 122 36 134 54 132 C 76 130 90 114 112 110 Z" fill="url(#ribbon)" opacity=".9"/>
    <!-- legs -->
    <path d="M106 262 L104 294 Q103 300 98 300 L113 300 L116 262 Z M122 262 L124 294 Q124 300 121 300 L136 300 Q133 297 132 290 L133 262 Z" fill="#090a1c"/>
    <!-- cloak -->
    <path d="M118 84 C 128 86 137 92 141 103 C 148 128 147 160 149 196 C 150 226 150 246 146 262 C 139 270 131 262 125 268 C 118 275 110 264 102 271 C 95 277 88 268 79 275 C 70 283 61 272 50 280 C 38 288 24 280 6 292 C 12 280 20 274 27 262 C 15 266 6 264 -6 268 C 14 254 32 236 46 210 C 62 180 76 150 84 122 C 89 104 100 88 118 84 Z" fill="url(#cloak)"/>
    <!-- folds -->
    <path d="M112 100 C 104 150 92 210 62 268 M122 100 C 122 160 116 220 106 264 M132 104 C 138 160 138 220 136 258 M100 108 C 86 160 62 214 28 262" fill="none" stroke="#05060f" stroke-opacity=".55" stroke-width="2.4" stroke-linecap="round"/>
    <path d="M117 102 C 113 156 104 214 84 266 M128 104 C 130 160 128 220 121 262 M106 106 C 94 158 76 212 44 270" fill="none" stroke="#ffb37a" stroke-opacity=".16" stroke-width="1.6" stroke-linecap="round"/>
    <!-- hem trim -->
    <path d="M146 262 C139 270 131 262 125 268 C 118 275 110 264 102 271 C 95 277 88 268 79 275 C 70 283 61 272 50 280 C 38 288 24 280 6 292" fill="none" stroke="#ffb877" stroke-opacity=".55" stroke-width="1.3"/>
    <!-- mantle and hood -->
    <path d="M125 46 C 136 50 142 60 141 71 C 140 79 137 85 136 90 C 147 94 155 104 158 118 C 147 113 135 111 122 111 C 108 111 95 114 82 122 C 86 107 92 97 103 91 C 100 86 98 80 99 72 C 100 63 105 55 110 51 C 101 52 90 58 78 56 C 92 52 100 44 110 42 C 116 41 121 43 125 46 Z" fill="url(#hood)"/>
    <path d="M110 42 C 116 41 121 43 125 46 C 136 50 142 60 141 71 C 140 79 137 85 136 90 C 147 94 155 104 158 118" fill="none" stroke="url(#rim)" stroke-width="2" stroke-linecap="round"/>
    <path d="M78 56 C 92 52 100 44 110 42" fill="none" stroke="url(#rim)" stroke-opacity=".6" stroke-width="1.2"/>
    <path d="M141 103 C 148 128 147 160 149 196 C 150 226 150 246 146 262" fill="none" stroke="url(#rim)" stroke-width="1.8"/>
    <!-- arm -->
    <path d="M146 118 C 156 126 164 138 170 148 L 178 146 L 180 153 L 169 160 C 158 154 148 144 141 134 Z" fill="#0a0b1e"/>
    <path d="M146 118 C 156 126 164 138 170 148 L 178 146" fill="none" stroke="url(#rim)" stroke-width="1.4"/>
    <!-- staff -->
    <path d="M168 300 L 181 26" stroke="#0a0916" stroke-width="4.6" stroke-linecap="round"/>
    <path d="M170 300 L 182.6 26" stroke="#ffbf86" stroke-opacity=".7" stroke-width="1"/>
    <path d="M181 28 C 158 18 156 -14 178 -26 C 166 -8 170 8 183 14 C 196 8 202 -8 192 -26 C 212 -12 208 18 181 28 Z" fill="#0b0a18" stroke="url(#rim)" stroke-width="1.2"/>
    <!-- lantern crystal -->
    <g>
      <path d="M183 -34 L 191 -14 L 183 6 L 175 -14 Z" fill="#c9fbff"/>
      <path d="M183 -34 L 183 6 L 175 -14 Z" fill="#7fe9ff"/>
    </g>
  </g>`;
}
export const defs = `
  <linearGradient id="cloak" x1="0" y1=".35" x2="1" y2=".1"><stop offset="0" stop-color="#7a3346"/><stop offset=".28" stop-color="#3a1d40"/><stop offset=".6" stop-color="#131231"/><stop offset="1" stop-color="#0d0e26"/></linearGradient>
  <linearGradient id="hood" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#161736"/><stop offset="1" stop-color="#0b0c20"/></linearGradient>
  <linearGradient id="ribbon" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#ff8a5c"/><stop offset=".55" stop-color="#c2354f"/><stop offset="1" stop-color="#5a1636"/></linearGradient>
  <linearGradient id="rim" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#ffe2b0"/><stop offset="1" stop-color="#ff9a5e"/></linearGradient>
  <linearGradient id="rock" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#3a2244"/><stop offset=".10" stop-color="#241a3c"/><stop offset=".35" stop-color="#171632"/><stop offset="1" stop-color="#101127"/></linearGradient>`;

function ridge(r, x0, x1, yAt, rough, step) {
  const pts = [];
  for (let x = x0; x <= x1; x += step) pts.push([x, yAt(x) + (r() - 0.5) * rough]);
  return pts;
}
const line = (pts) =>
  pts.map(([x, y], i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join(' ');

export function scene({ W, H, fx, fy, fs, ledge, grass = 260, seed = 7, emberBox, birds = [] }) {
  const r = rng(seed);
  const u = H / 760; // design units
  const top = ridge(r, -10, W + 10, ledge, 5 * u, 9 * u);
  const body = `${line(top)} L ${W + 10} ${H + 10} L -10 ${H + 10} Z`;
  let g = ''; // grasses: curved blades leaning left (wind from the right)
  for (let i = 0; i < grass; i++) {
    const x = r() * W;
    const y = ledge(x) + 3 * u;
    const h = (8 + r() * r() * 34) * u;
    const lean = -(0.35 + r() * 0.6) * h;
    const w = (0.9 + r() * 1.3) * u;
    const near = Math.exp(-(((x - fx) / (200 * u)) ** 2));
    const c = r() < 0.1 + near * 0.1 ? '#c9744f' : r() < 0.5 ? '#1d1838' : '#121229';
    g += `<path d="M${x - w} ${y} Q ${x + lean * 0.2} ${y - h * 0.6} ${x + lean} ${y - h} Q ${x + lean * 0.25 + w} ${y - h * 0.5} ${x + w} ${y} Z" fill="${c}"/>`;
    if (r() < 0.13)
      g += `<circle cx="${x + lean}" cy="${y - h}" r="${(1.2 + r() * 1.9) * u}" fill="${r() < 0.5 ? '#ffcf8f' : '#8ff0ff'}"/>`;
  }
  const stone = (x, w, h, lean = 0) => {
    const y = ledge(x) + 8 * u;
    return `<path d="M${x - w} ${y} L${x - w * 0.82 + lean} ${y - h * 0.93} L${x - w * 0.2 + lean} ${y - h} L${x + w * 0.7 + lean} ${y - h * 0.9} L${x + w} ${y} Z" fill="#0b0b1d"/><path d="M${x - w * 0.82 + lean} ${y - h * 0.93} L${x - w} ${y}" stroke="#ff9d63" stroke-opacity=".55" stroke-width="${1.2 * u}" fill="none"/>`;
  };
  const stones = [
    [fx + 196 * u, 11 * u, 64 * u, 3 * u],
    [fx + 232 * u, 8 * u, 36 * u, -2 * u],
    [fx + 300 * u, 15 * u, 112 * u, 5 * u],
    [fx + 352 * u, 9 * u, 52 * u, 3 * u],
    [fx + 128 * u, 6 * u, 22 * u, 0],
  ]
    .map((q) => stone(...q))
    .join('');
  const rimPts = top.filter(([x]) => Math.abs(x - fx) < 620 * u);
  let e = '';
  for (let i = 0; i < 70; i++) {
    const x = emberBox[0] + r() * emberBox[2];
    const y = emberBox[1] + r() * emberBox[3];
    const s = (0.5 + r() * r() * 2.1) * u;
    e += `<circle cx="${x}" cy="${y}" r="${s}" fill="${r() < 0.72 ? '#ffd596' : '#9af3ff'}" opacity="${(0.25 + r() * 0.7).toFixed(2)}"/>`;
  }
  const b = birds
    .map(
      ([x, y, s]) =>
        `<path d="M${x - 9 * s} ${y - 3 * s} Q ${x - 4 * s} ${y - 5 * s} ${x} ${y} Q ${x + 4 * s} ${y - 6 * s} ${x + 9 * s} ${y - 4 * s} Q ${x + 4 * s} ${y - 3 * s} ${x} ${y + 1.6 * s} Q ${x - 4 * s} ${y - 2.4 * s} ${x - 9 * s} ${y - 3 * s} Z" fill="#1a1030"/>`,
    )
    .join('');
  return {
    dark: `<svg xmlns="http://www.w3.org/2000/svg" width="${W}" height="${H}" viewBox="0 0 ${W} ${H}"><defs>${defs}</defs>${b}
      ${stones}<path d="${body}" fill="url(#rock)"/><path d="${line(rimPts)}" fill="none" stroke="#ff9d63" stroke-opacity=".55" stroke-width="${1.5 * u}"/>
      <g transform="translate(${fx} ${fy}) scale(${fs}) translate(-120 -300)">${wanderer()}</g>${g}</svg>`,
    glow: `<svg xmlns="http://www.w3.org/2000/svg" width="${W}" height="${H}" viewBox="0 0 ${W} ${H}">${e}
      <g transform="translate(${fx} ${fy}) scale(${fs}) translate(-120 -300)"><path d="M183 -34 L 191 -14 L 183 6 L 175 -14 Z" fill="#bdf8ff"/></g></svg>`,
  };
}
