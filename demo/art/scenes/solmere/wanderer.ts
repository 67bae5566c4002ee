// The cloaked wanderer with the lantern staff, as SVG: 240 by 320, the feet at y = 300.
// The sun stands behind and slightly to the right, so the rims there are lit.

export const wanderer = `
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

/** The staff's crystal, which gives light of its own. */
export const crystal = '<path d="M183 -34 L 191 -14 L 183 6 L 175 -14 Z" fill="#bdf8ff"/>';

export const wandererColors = `
  <linearGradient id="cloak" x1="0" y1=".35" x2="1" y2=".1"><stop offset="0" stop-color="#7a3346"/><stop offset=".28" stop-color="#3a1d40"/><stop offset=".6" stop-color="#131231"/><stop offset="1" stop-color="#0d0e26"/></linearGradient>
  <linearGradient id="hood" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#161736"/><stop offset="1" stop-color="#0b0c20"/></linearGradient>
  <linearGradient id="ribbon" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#ff8a5c"/><stop offset=".55" stop-color="#c2354f"/><stop offset="1" stop-color="#5a1636"/></linearGradient>
  <linearGradient id="rim" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#ffe2b0"/><stop offset="1" stop-color="#ff9a5e"/></linearGradient>
  <linearGradient id="rock" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#3a2244"/><stop offset=".10" stop-color="#241a3c"/><stop offset=".35" stop-color="#171632"/><stop offset="1" stop-color="#101127"/></linearGradient>`;
