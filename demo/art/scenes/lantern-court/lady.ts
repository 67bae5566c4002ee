// A lady with a paper parasol and a hand lantern, on the ridge of the near roof. The palace lights her from the right.
import type { Overlay, Size } from '../../scene.ts';

const colors = `
  <linearGradient id="robe" x1="0" y1="0" x2="1" y2=".2"><stop offset="0" stop-color="#1a1038"/><stop offset=".55" stop-color="#2c1030"/><stop offset=".85" stop-color="#6e1a24"/><stop offset="1" stop-color="#b23a26"/></linearGradient>
  <linearGradient id="train" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#541230"/><stop offset="1" stop-color="#170d2c"/></linearGradient>
  <radialGradient id="paper" cx=".62" cy=".75" r=".75"><stop offset="0" stop-color="#ff8a4a"/><stop offset=".45" stop-color="#d8321f"/><stop offset="1" stop-color="#5c0c1c"/></radialGradient>
  <linearGradient id="rimlight" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#ffd9a0"/><stop offset="1" stop-color="#ff7a3c"/></linearGradient>`;

const ribs = [-74, -52, -28, 0, 28, 52, 74]
  .map(
    (x) =>
      `<path d="M104 22 Q ${104 + x * 0.72} 34 ${104 + x} ${72 - (74 - Math.abs(x)) * 0.16}"/>`,
  )
  .join('');

const lady = `
  <path d="M92 150 C 70 158 44 150 18 166 C 4 174 -14 168 -34 176 C -12 180 6 186 22 180 C 48 170 70 178 96 166 Z" fill="url(#train)"/>
  <path d="M94 170 C 78 190 52 196 34 216 C 20 230 0 230 -14 244 C 10 244 28 240 42 228 C 62 210 84 206 100 186 Z" fill="url(#train)" opacity=".9"/>
  <path d="M88 118 C 94 112 112 112 120 118 C 130 126 133 140 131 156 C 134 190 140 232 148 262 C 152 280 156 292 160 300 C 136 306 104 304 78 304 C 56 304 36 308 14 302 C 34 292 50 276 60 252 C 72 222 78 186 80 156 C 80 140 82 126 88 118 Z" fill="url(#robe)"/>
  <path d="M100 160 C 98 210 84 262 54 300 M112 160 C 114 214 108 262 96 302 M122 160 C 128 214 132 262 136 300" fill="none" stroke="#0a0618" stroke-opacity=".6" stroke-width="2.4"/>
  <path d="M80 150 C 94 156 118 156 132 150 L 132 162 C 118 168 94 168 80 162 Z" fill="#c98a3c"/>
  <path d="M120 120 C 134 128 142 146 138 166 C 150 178 154 194 150 212 C 138 204 128 190 124 174 C 118 160 116 138 120 120 Z" fill="url(#robe)"/>
  <path d="M86 122 C 74 134 66 152 62 172 C 50 180 42 194 40 208 C 54 206 68 198 76 186 C 84 168 88 144 86 122 Z" fill="#1c1030"/>
  <path d="M104 20 L 136 168" stroke="#1a0c14" stroke-width="3.2" stroke-linecap="round"/>
  <path d="M96 100 C 84 112 78 132 70 150 C 64 162 54 166 46 166 C 60 172 76 166 84 150 C 92 136 98 122 102 112 Z" fill="#0a0718"/>
  <ellipse cx="104" cy="98" rx="12.5" ry="15" fill="#150b1e"/>
  <path d="M90 96 C 88 80 98 76 106 77 C 116 78 120 88 117 98 C 112 90 104 88 98 92 C 96 98 96 106 94 110 C 91 106 90 102 90 96 Z" fill="#0a0718"/>
  <path d="M116 92 C 119 98 118 106 113 112" fill="none" stroke="url(#rimlight)" stroke-width="1.8"/>
  <path d="M120 118 C 134 128 142 146 138 166 C 150 178 154 194 150 212 M131 166 C 136 200 140 236 148 262 C 152 280 156 292 160 300" fill="none" stroke="url(#rimlight)" stroke-width="1.9" stroke-linecap="round"/>
  <path d="M92 100 L 78 88 M92 96 L 80 82" stroke="#e0a04c" stroke-width="1.4"/>
  <g transform="rotate(-9 104 40)">
    <path d="M24 74 C 36 40 66 22 104 20 C 142 22 172 40 184 74 Q 172 64 156 71 Q 144 60 132 68 Q 118 58 104 66 Q 90 58 76 68 Q 64 60 52 71 Q 36 64 24 74 Z" fill="url(#paper)"/>
    <g fill="none" stroke="#3c0812" stroke-opacity=".7" stroke-width="1.5">${ribs}</g>
    <path d="M104 20 C 142 22 172 40 184 74" fill="none" stroke="url(#rimlight)" stroke-width="2"/>
    <path d="M104 20 L 104 8" stroke="#2a0e10" stroke-width="3.4" stroke-linecap="round"/>
  </g>
  <path d="M44 206 L 38 222" stroke="#2a0e10" stroke-width="1.6"/>
  <ellipse cx="37" cy="236" rx="14" ry="12.5" fill="#c81e0c"/>
  <path d="M29 225 h16 v3 h-16 Z M29 245 h16 v3 h-16 Z" fill="#a8642a"/>
  <path d="M37 248 v18" stroke="#b8281a" stroke-width="2.4"/>`;

const lit = '<ellipse cx="37" cy="236" rx="11" ry="9.5" fill="#ff6a2a"/>';

/** The feet's place is given in shares of the picture's height. */
export function ladyOnTheRoof({ width, height }: Size, feet: { x: number; y: number }): Overlay {
  const scale = (height / 300) * 0.255;
  const sheet = (content: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>${colors}</defs><g transform="translate(${feet.x * height} ${feet.y * height}) scale(${scale}) translate(-100 -300)">${content}</g></svg>`;
  return { dark: sheet(lady), glow: sheet(lit) };
}
