// "Neon Meridian" key art: a race track without pillars between the towers of a city in the rain, gates of light, wet dark.
// One unit is roughly two metres; the camera hovers 7 units above the track's lowest point.
#define MAXT 44
uniform vec4 uView; // vanishing point x, horizon y (screen-height units, 0 = centre), focal length, unused
uniform float uTowers;
uniform vec4 uTower[MAXT], uLook[MAXT]; // x, z, half width, height; half depth, hue, seed, brightness

const vec3 MAG = vec3(1., .045, .50), CYA = vec3(.02, .62, 1.), VIO = vec3(.36, .10, 1.), AMB = vec3(1., .42, .10);
const float HALF = 3.1, GROUND = -16.;
vec3 eye() { return vec3(0., 8.2, 0.); }

float box2(vec2 p, vec2 b) { vec2 d = abs(p) - b; return length(max(d, 0.)) + min(max(d.x, d.y), 0.); }
float box3(vec3 p, vec3 b) { vec3 d = abs(p) - b; return length(max(d, 0.)) + min(max(d.x, max(d.y, d.z)), 0.); }
vec3 neon(float h) { return h < .34 ? CYA : h < .68 ? MAG : h < .86 ? VIO : AMB; }

// ---- haze and sky
vec3 haze(vec3 rd) {
  vec2 q = rd.xy / max(rd.z, .05); float v = exp(-dot(q * vec2(1.5, 2.1) - vec2(.12, .1), q * vec2(1.5, 2.1) - vec2(.12, .1)) * 2.4);
  float c = exp(-dot(q - vec2(.62, .0), q - vec2(.62, .0)) * 4.);
  vec3 h = vec3(.0065, .0075, .024) + vec3(.078, .005, .062) * v + vec3(.003, .026, .048) * c;
  h += mix(vec3(.012, .006, .040), vec3(.046, .004, .046), smoothstep(-.9, .2, q.x)) * exp(-max(q.y, 0.) * 5.) * smoothstep(-.30, .02, q.y);
  h += mix(vec3(.004, .005, .022), vec3(.030, .005, .036), smoothstep(-1.1, .1, q.x)) * exp(-pow((q.y + .17) * 9., 2.));
  return h;
}
vec3 sky(vec3 rd) {
  vec2 q = rd.xy / max(rd.z, .05); vec3 c = haze(rd) * mix(1., .42, smoothstep(.0, .55, q.y));
  vec2 w = q * vec2(1.6, 3.4); w += .8 * vec2(fbm2(w + 3., 4), fbm2(w + 8., 4)); float n = smoothstep(.40, .80, fbm2(w * 1.5, 6));
  c *= .62 + 1.0 * n;
  for (int i = 0; i < 3; i++) { float x = i == 0 ? -.30 : i == 1 ? .16 : .47, k = i == 0 ? .32 : i == 1 ? -.10 : -.36; float d = (q.x - x - k * q.y) / (.010 + .05 * max(q.y, 0.)); c += (i == 1 ? MAG : CYA) * .050 * exp(-d * d) * exp(-max(q.y, 0.) * 3.2) * smoothstep(-.02, .05, q.y); } // searchlights
  return c;
}
// ---- towers
vec4 tower(vec3 ro, vec3 rd, out int id) { // distance and normal
  float best = 1e4; vec3 n = vec3(0.); id = -1; vec3 k = 1. / rd;
  for (int i = 0; i < MAXT; i++) {
    if (float(i) >= uTowers) break; vec4 T = uTower[i]; vec3 hf = vec3(T.z, (T.w - GROUND) * .5, uLook[i].x); vec3 c = vec3(T.x, (T.w + GROUND) * .5, T.y);
    vec3 m = (ro - c) * k, e = abs(k) * hf, a = -m - e, b = -m + e; float tn = max(a.x, max(a.y, a.z)), tf = min(b.x, min(b.y, b.z));
    if (tn < tf && tn > 0. && tn < best) { best = tn; id = i; n = -sign(rd) * step(a.yzx, a.xyz) * step(a.zxy, a.xyz); }
  }
  return vec4(n, best);
}
float blurred = 1.; // mirrored windows melt sooner
vec3 facade(vec3 p, vec3 n, int id, float t, vec3 rd) {
  vec4 T = uTower[id], K = uLook[id]; float hue = K.y, seed = K.z, lit = K.w;
  vec2 uv = abs(n.x) > .5 ? vec2(p.z - T.y, p.y) : vec2(p.x - T.x, p.y); float hw = abs(n.x) > .5 ? K.x : T.z;
  vec3 dark = vec3(.010, .012, .024) * (.7 + .6 * n2(uv * .35 + seed)); if (n.y > .5) return mix(dark, haze(rd), 1. - exp(-t * .011));
  vec2 cell = seed < .5 ? vec2(.55, .95) : vec2(1.05, .80); vec2 g = uv / cell; ivec2 i = ivec2(floor(g)); vec2 f = fract(g) - .5;
  float lod = smoothstep(.24, .62, blurred * t / (uRes.y * uView.z * min(cell.x, cell.y))); // far windows melt into one glow
  float block = n2(vec2(i) * vec2(.21, .13) + seed * 40.); float on = step(1. - .10 - .42 * smoothstep(.45, .8, block), h2(i + int(seed * 977.)));
  float pane = smoothstep(.40, .33, abs(f.x)) * smoothstep(.36, .28, abs(f.y)); float w = mix(on * pane, .13 + .10 * smoothstep(.45, .8, block), lod);
  float pick = h2(i + ivec2(7, int(seed * 77.))); vec3 tint = mix(pick < .45 ? vec3(.34, .52, .80) : pick < .82 ? neon(hue) : vec3(1., .58, .28), neon(hue) * .7 + .12, lod);
  vec3 c = dark + tint * w * lit * mix(.30 + .9 * pick, .6, lod) * .85;
  c += vec3(.035, .045, .085) * smoothstep(.45, .5, abs(f.x)) * .12 * (1. - lod); // mullions
  // light strips up the corners, crowns and a few hanging signs
  float edge = hw - abs(uv.x); float strip = step(.50, fract(seed * 7.3)) * smoothstep(.24, .10, edge);
  c += neon(fract(hue + .34 * step(.7, fract(seed * 3.7)))) * strip * 1.15 * lit * (.7 + .3 * sin(uv.y * .15 + seed * 9.));
  float crown = smoothstep(.20, .10, abs(T.w - .5 - uv.y)) + .7 * smoothstep(.16, .08, abs(T.w - 1.5 - uv.y)); c += neon(hue) * crown * 1.6 * lit * step(.45, fract(seed * 11.1));
  if (fract(seed * 5.9) > .48 && lit > .6) { // a sign: bars of light like writing
    vec2 s = uv - vec2((fract(seed * 17.) - .5) * hw, T.w * (.42 + .3 * fract(seed * 23.))); vec2 hs = vec2(.24 + .16 * fract(seed * 31.), 1.) * vec2(hw, hw * (1.1 + fract(seed * 13.)));
    float b = box2(s, hs); vec2 r = s / hs; float rows = floor(r.y * 7.); float bar = step(abs(fract(r.y * 7.) - .5), .30) * step(abs(r.x + .25 * (h1(rows + seed * 50.) - .5)), .42 + .45 * h1(rows * 3. + seed * 91.)) * step(.22, fract(r.x * (3. + floor(4. * h1(rows + 4.))) + h1(rows)));
    vec3 sc = neon(fract(hue + .37)); c = mix(c, sc * (.10 + 1.55 * bar) * lit + sc * .9 * smoothstep(.12, .0, abs(b)) * lit, smoothstep(.06, -.06, b - .1));
  }
  c += mix(CYA * .6, MAG, smoothstep(-60., 10., p.x)) * .085 * exp(-max(p.y - GROUND, 0.) * .30) * (.4 + .6 * blurred / 7.); // light on the waterline
  float f1 = 1. - exp(-max(t - 20., 0.) * .0078); f1 = max(f1, .85 * exp(-max(p.y - GROUND, 0.) * .055)); return mix(c, haze(rd), sat(f1));
}
// ---- the track, as a curve over z
vec3 course(float z) { float a = z * .034 - .6; return vec3(3.2 + 8. * sin(a), 3.2 + 17. * smoothstep(26., 150., z) + .8 * sin(z * .09 + 1.), -.34 * sin(a - .2) - .05); }
vec2 onTrack(vec3 p) { vec3 k = course(p.z); return rot(k.z) * (p.xy - k.xy); }
const float CRAFT = 15.5, SCALE = 1.75;
float craft(vec3 q) { // nose towards +z
  q /= SCALE; q.x = abs(q.x); float z = q.z; float taper = mix(1., .12, smoothstep(-1.2, 2.5, z));
  float d = box2(vec2(q.x, q.y - .03 * z), vec2(.30 * taper + .03, .20 * taper)) - .07; d = max(d, abs(z - .45) - 2.0);
  float wing = max(box2(vec2(q.x - .72 + .24 * z, q.y + .08 + .12 * q.x), vec2(.68 - .20 * z, .035)), abs(z + .25) - .95); d = min(d, wing);
  d = min(d, max(box2(vec2(q.x - 1.20 - .22 * q.y, q.y - .14), vec2(.028, .32)), abs(z + .86 + .55 * q.y) - .30 + .34 * sat(q.y)));
  d = min(d, max(length(q.xy - vec2(.46, .02)) - .235 + .05 * smoothstep(-.8, .6, z), abs(z + .45) - .95));
  return min(d, (length((q - vec3(0., .22, .25)) * vec3(1.6, 1.7, .62)) - .38) * .5) * .8 * SCALE;
}
float gateAt(int i) { return i == 0 ? 36. : i == 1 ? 92. : i == 2 ? 132. : 172.; }
vec2 atGate(vec3 p) { vec3 k = course(p.z); return rot(k.z * .35) * (p.xy - k.xy); }
float gate(vec2 q) { // a triangle of light standing on the track
  q.y -= 2.0; float k = 1.7320508; q.x = abs(q.x); float d = max(q.x * k * .5 + q.y * .5, -q.y) - 3.3; return abs(d) - .085;
}
// 1 track, 2 rail, 3 craft, 4 gate
vec2 map(vec3 p) {
  vec2 q = onTrack(p); vec2 d = vec2(box2(q, vec2(HALF, .16)) - .04, 1.); d.x = min(d.x, box2(vec2(q.x, q.y + .42), vec2(1.1, .34)));
  float rail = box2(vec2(abs(q.x) - HALF - .08, q.y - .22), vec2(.07, .10)) - .03; if (rail < d.x) d = vec2(rail, 2.);
  if (abs(p.z - CRAFT) < 6.) { float c = craft(vec3(q.x + .2, q.y - 1.25, p.z - CRAFT)); if (c < d.x) d = vec2(c, 3.); }
  for (int i = 0; i < 4; i++) { float z = p.z - gateAt(i); if (abs(z) < 4.) { float g = max(gate(atGate(p)), abs(z) - .16) * .8; if (g < d.x) d = vec2(g, 4.); } else d.x = min(d.x, max(abs(z) - 2., .4) + 1e3 * step(9., abs(q.x))); }
  return vec2(d.x * .80, d.y);
}
vec3 nrm(vec3 p, float e) { vec2 k = vec2(1., -1.); return normalize(k.xyy * map(p + k.xyy * e).x + k.yyx * map(p + k.yyx * e).x + k.yxy * map(p + k.yxy * e).x + k.xxx * map(p + k.xxx * e).x); }
vec3 trails(vec3 p, vec2 q) { // light that hangs along the lanes where racers went
  vec3 g = vec3(0.); float z = p.z;
  for (int i = 0; i < 5; i++) {
    vec4 L = i == 0 ? vec4(-1.0, 1.29, -4., CRAFT - 2.4) : i == 1 ? vec4(.60, 1.29, -4., CRAFT - 2.4) : i == 2 ? vec4(1.9, .55, 30., 66.) : i == 3 ? vec4(-1.7, .65, 44., 92.) : vec4(2.2, .45, 78., 150.);
    float on = smoothstep(L.z, L.z + (i < 2 ? 18. : 26.), z) * smoothstep(L.w + .3, L.w - .1, z); if (on <= 0.) continue;
    vec2 d = q - L.xy; g += (i < 2 ? vec3(.25, .80, 1.) : i == 2 ? MAG : i == 3 ? AMB : CYA) * on * (i < 2 ? .0017 * smoothstep(2., 12., z) : .010) / (dot(d, d) + (i < 2 ? .004 : .012));
  }
  return g;
}
vec3 city(vec3 ro, vec3 rd, float t0) { // towers and sky only, for reflections
  int id; vec4 T = tower(ro, rd, id); blurred = 7.; vec3 c = id >= 0 ? facade(ro + rd * T.w, T.xyz, id, T.w + t0, rd) : sky(rd); blurred = 1.; return c;
}
vec3 surface(vec3 ro, vec3 rd, float t, float m) {
  vec3 p = ro + rd * t; vec2 q = onTrack(p); vec3 n = nrm(p, .004 + t * .0006); vec3 c;
  if (m > 3.5) { float z = float(int(p.z)); return mix(vec3(1.7, .10, .95), vec3(.12, 1.15, 1.9), step(60., p.z)) * mix(1., .55, smoothstep(40., 140., t)); }
  if (m > 1.5 && m < 2.5) return (q.x < 0. ? MAG * 1.7 + .06 : CYA * 1.5 + .05) * mix(1., .5, smoothstep(30., 140., t));
  if (m > 2.5) {
    vec3 r = reflect(rd, n); float fr = .06 + .94 * pow(1. - sat(dot(n, -rd)), 5.); vec3 l = vec3(q.x + .2, q.y - 1.25, p.z - CRAFT) / SCALE; float ax = abs(l.x);
    float rim = pow(1. - sat(dot(n, -rd)), 2.); c = vec3(.020, .022, .036) * (.5 + .5 * n.y) + city(p, normalize(vec3(r.x, r.y, abs(r.z) + .1)), t) * (.22 + fr) + (n.x < 0. ? MAG * 1.1 * -n.x : CYA * 1.1 * n.x) * rim + vec3(.30, .36, .50) * pow(sat(n.y), 3.) * .07;
    c += CYA * 1.3 * smoothstep(.016, .004, abs(ax - .17 + .05 * l.z)) * step(.2, n.y) * step(l.z, 1.6);
    c += MAG * 1.6 * smoothstep(.03, .0, abs(ax - .70)) * step(.3, n.y) * step(abs(l.z + .2), .7);
    float jet = length(vec2(ax - .46, l.y - .02)); if (l.z < -1.36) c = mix(vec3(.02), mix(vec3(.10, .75, 1.6), vec3(2.6, 3.1, 3.4), smoothstep(.16, .03, jet)), smoothstep(.215, .17, jet)) + MAG * 2.2 * smoothstep(.035, .02, abs(l.y - .05)) * smoothstep(.20, .17, ax) * step(l.z, -1.36);
    if (ax > 1.1 && l.y > .0 && l.z < -1.06 - .55 * l.y + .34 * sat(l.y)) c += vec3(2.2, .10, .55); if (l.y < .1 && l.z < -1.14 && ax > .72) c += CYA * 1.4; return c;
  }
  if (n.y < -.2) { c = vec3(.010, .011, .020) + mix(MAG, CYA, smoothstep(-2., 2., q.x)) * .10 * smoothstep(HALF * .4, HALF, abs(q.x)) + CYA * .9 * smoothstep(.10, .04, abs(abs(q.x) - .8)) * step(.4, fract(p.z * .25)); }
  else {
    // wet asphalt: puddles mirror, the rest shimmers
    float wet = smoothstep(.38, .62, fbm2(vec2(q.x * .55, p.z * .16) + 5., 4)); vec2 b = (vec2(n2(vec2(q.x * 5., p.z * 2.2)), n2(vec2(q.x * 5. + 9., p.z * 2.2))) - .5) * mix(.055, .012, wet);
    vec3 nn = normalize(n + vec3(b.x, 0., b.y * 1.6)); vec3 r = reflect(rd, nn); r.y = abs(r.y) + .01; r = normalize(r); float fr = .05 + .95 * pow(1. - sat(dot(nn, -rd)), 4.);
    c = vec3(.008, .009, .016) + city(p + vec3(0., .1, 0.), r, t) * fr * mix(.8, 2.0, wet);
    float side = HALF - abs(q.x); vec3 rail = q.x < 0. ? MAG : CYA; c += rail * (.42 * exp(-side * 1.7) + .10 * exp(-side * .55)) * (.40 + 1.1 * wet) * (.7 + .6 * n2(vec2(q.x * 1.5, p.z * .4)));
    float ch = abs(fract((p.z * .5 - abs(q.x) * .55) * .5) - .5); c += CYA * .55 * smoothstep(.10, .07, ch) * step(abs(q.x), .95) * step(fract(p.z * .045), .42) * (.6 + .4 * wet); // chevrons
    c += vec3(.55, .75, .95) * .16 * smoothstep(.05, .02, abs(abs(q.x) - 1.55)) * step(.35, fract(p.z * .22));
    c += vec3(.10, .55, 1.) * .16 * exp(-pow((abs(q.x + .2) - .80) * 2.0, 2.)) * smoothstep(-3., CRAFT - 2., p.z) * step(p.z, CRAFT - .5) * (.35 + .8 * wet); // under the jets
  }
  return mix(c, haze(rd), 1. - exp(-max(t - 10., 0.) * .0075));
}
float rain(vec2 uv) {
  float s = 0.;
  for (int L = 0; L < 3; L++) {
    float l = float(L); vec2 q = rot(.10) * uv * (1. + l * .6); float cw = 150. + 70. * l; float col = floor(q.x * cw); float len = 3.2 + 2.2 * h1(col * 1.3 + l);
    float y = q.y * len + h1(col * 2.7 + l * 9.) * 17.; float id = floor(y); float on = step(.86, h2(ivec2(int(col), int(id) + L * 91)));
    float f = fract(y); s += on * smoothstep(.0, .35, f) * smoothstep(.75, .4, f) * smoothstep(.5, .15, abs(fract(q.x * cw) - .5)) * (.75 - .2 * l);
  }
  return s;
}
void main() {
  vec2 fc = gl_FragCoord.xy + uOff; vec2 uv = (fc + uJit - .5 * uRes) / uRes.y; vec3 ro = eye(); vec3 rd = normalize(vec3(uv - uView.xy, uView.z));
  int id; vec4 T = tower(ro, rd, id); float tw = id >= 0 ? T.w : 1e4; float tg = rd.y < -.001 ? (GROUND - ro.y) / rd.y : 1e4; float tmax = min(min(tw, tg), 190.);
  float t = 2.5 + .4 * ign(fc + uSample * 5.588), m = 0.; bool hit = false; vec3 glow = vec3(0.);
  for (int i = 0; i < 110; i++) {
    vec3 p = ro + rd * t; vec2 h = map(p); if (h.x < .0008 * t) { hit = true; m = h.y; break; }
    float dt = clamp(h.x, .02, 1.6 + t * .02); vec2 q = onTrack(p); float fade = exp(-t * .012);
    vec2 a = vec2(q.x + HALF, q.y - .25), b = vec2(q.x - HALF, q.y - .25);
    glow += dt * fade * smoothstep(2., 22., t) * (MAG * .017 / (dot(a, a) + .12) + CYA * .015 / (dot(b, b) + .12)) + dt * fade * trails(p, q);
    for (int g = 0; g < 4; g++) { float z = p.z - gateAt(g); if (abs(z) < 5.) { float d = gate(atGate(p)); glow += dt * (g < 1 ? vec3(1., .10, .72) : vec3(.10, .62, 1.)) * .040 * fade / (d * d + z * z + .25); } }
    t += dt; if (t > tmax) break;
  }
  vec3 c;
  if (hit) c = surface(ro, rd, t, m);
  else if (tg < tw && tg < 400.) { // the flooded street far below
    vec3 p = ro + rd * tg; vec2 b = (vec2(fbm2(p.xz * vec2(.9, .35), 3), fbm2(p.xz * vec2(.9, .35) + 7., 3)) - .5) * vec2(.05, .17); vec3 r = reflect(rd, normalize(vec3(b.x, 1., b.y))); r.y = abs(r.y);
    c = city(p, normalize(r), tg * .35) * (.22 + .9 * pow(1. - sat(r.y), 3.)) * 1.5 * (.65 + .7 * smoothstep(.35, .7, fbm2(p.xz * vec2(.25, .07), 3))); c = mix(c, haze(rd), 1. - exp(-max(tg - 40., 0.) * .006));
  } else c = id >= 0 ? facade(ro + rd * tw, T.xyz, id, tw, rd) : sky(rd);
  c += min(glow, vec3(4.)); c += (haze(rd) * 1.6 + vec3(.020, .026, .040) + glow * .10) * rain(uv) * .45;
  if (uRes.x > 1.4 * uRes.y) c *= mix(.58, 1., smoothstep(-.95, -.05, uv.x)); // words stand on the left
  o = vec4(max(c, 0.), 1.);
}
