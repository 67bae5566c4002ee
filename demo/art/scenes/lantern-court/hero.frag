// "Lantern Court" key art: palace roofs at night under a pale moon, ink-washed peaks, a river of red lanterns.
// Units are roughly metres; the camera stands on a roof, 9 m above the court.
#define MAXL 230
uniform vec4 uView; // palace x, horizon y (screen-height units, 0 = centre), focal length, moon x
uniform float uLanterns;
uniform vec4 uLantern[MAXL]; // centre, size

const float MOONR = .136;
vec2 moonAt() { return vec2(uView.w, .285); }

// ---- sky, moon, mountains
vec3 moonlit(vec3 rd) {
  vec2 d = (rd.xy / max(rd.z, .05) - moonAt()) / MOONR; float r = length(d);
  float disc = 1. - smoothstep(.985, 1.005, r);
  float sea = fbm2(d * 1.5 + vec2(3.1, 7.3), 6), pit = fbm2(d * 5. + 2., 5);
  vec3 c = vec3(1.02, .84, .56) * (1.02 - .60 * smoothstep(.42, .66, sea) - .16 * (pit - .5));
  c *= .80 + .28 * sqrt(max(1. - r * r, 0.));
  float g = max(r - 1., 0.);
  vec3 halo = vec3(.30, .27, .34) * .34 / (1. + g * g * 2.2) + vec3(.80, .62, .42) * .34 * exp(-g * 3.4) + vec3(.5, .34, .26) * .10 * exp(-pow((g - 1.15) * 3.2, 2.));
  return c * disc + halo * (1. - disc);
}
vec3 sky(vec3 rd) {
  float e = max(rd.y, 0.); vec2 q = rd.xy / max(rd.z, .05);
  vec3 c = mix(vec3(.030, .036, .098), vec3(.0045, .0065, .030), smoothstep(-.02, .50, e));
  vec2 g = q * 75.; ivec2 i = ivec2(floor(g)); vec2 f = fract(g) - .5 - .6 * (vec2(h2(i), h2(i + 9)) - .5);
  float s = h2(i + ivec2(5, 77)); c += vec3(.8, .86, 1.) * step(.82, s) * pow(h2(i + 31), 5.) * 1.6 * exp(-dot(f, f) * 190.) * smoothstep(.10, .35, e) * smoothstep(1.1, 2.2, length(q - moonAt()) / MOONR);
  c += moonlit(rd);
  // a veil of cloud drawn with a wide brush
  vec2 w = vec2(q.x * .9, q.y * 4.2) + vec2(0., .35 * q.x); w += .55 * vec2(fbm2(w * 1.1, 4), fbm2(w * 1.1 + 9., 4));
  float n = smoothstep(.46, .78, fbm2(w * 1.7 + 4., 6)) * smoothstep(.04, .16, e) * (1. - smoothstep(.42, .62, e));
  float near = exp(-dot(q - moonAt(), q - moonAt()) * 9.);
  return mix(c, mix(vec3(.030, .034, .085), vec3(.34, .27, .24), near), n * .62);
}
float peaks(float x, float seed) {
  float h = 0.; float b = floor(x);
  for (int k = -1; k <= 1; k++) {
    float id = b + float(k) + seed; float c = b + float(k) + .2 + .6 * h1(id * 1.37);
    float w = .13 + .20 * h1(id * 2.11); float d = (x - c) / w; d *= d < 0. ? .85 + .5 * h1(id) : 1.35 - .5 * h1(id);
    h = max(h, (.35 + .65 * h1(id * 3.7)) * exp(-pow(abs(d), 1.75)));
  }
  return h;
}
vec3 mountains(vec3 rd, vec3 c) {
  vec2 q = rd.xy / max(rd.z, .05); float near = exp(-dot(q - moonAt(), q - moonAt()) * 1.6);
  for (int L = 0; L < 5; L++) {
    float l = float(L); float x = q.x * (1.15 + .42 * l) + l * 7.31;
    float h = (.40 - .062 * l) * peaks(x * 1.25, l * 13.) + .010;
    h += (fbm2(vec2(x * 5., l * 4.), 5) - .5) * .050 + (fbm2(vec2(x * 26., l), 3) - .5) * .010 - .018 * l;
    float d = h - q.y; if (d < -.004) continue;
    float a = smoothstep(-.0015, .0015, d);
    // wet ink: dark on the ridge, running down into the mist, with dry vertical strokes
    float st = fbm2(vec2(x * 11. + 3. * fbm2(vec2(x * 4., q.y * 9.), 3), q.y * 7.), 5);
    float ink = exp(-d * (9. + 2. * l)) * (.62 + .75 * (st - .2)) + .22 * smoothstep(.5, .75, st) * exp(-d * 4.);
    vec3 mist = mix(vec3(.034, .043, .112), vec3(.20, .155, .165), near) * (1. - .13 * l);
    vec3 dark = vec3(.010, .013, .042) * (1.25 - .17 * l);
    c = mix(c, mix(mist, dark, sat(ink * 1.25)), a * (.72 + .07 * l));
  }
  return c;
}
vec3 backdrop(vec3 rd) { return mountains(rd, sky(rd)); }

// ---- roofs
float box2(vec2 p, vec2 b) { vec2 d = abs(p) - b; return length(max(d, 0.)) + min(max(d.x, d.y), 0.); }
float box3(vec3 p, vec3 b) { vec3 d = abs(p) - b; return length(max(d, 0.)) + min(max(d.x, max(d.y, d.z)), 0.); }
// A hipped roof with hollow slopes and lifted corners. `pitch` is the distance between two rows of tiles.
float roof(vec3 p, vec2 hf, float rise, float lift, float pitch) {
  vec2 q = abs(p.xz); vec2 in2 = hf - q; float run = min(hf.x, hf.y); float e = min(in2.x, in2.y);
  float s = clamp(e / run, -.2, 1.);
  float h = rise * (.42 * s + .58 * s * s);
  vec2 cn = max(q / hf, 0.); float c = cn.x * cn.y; h += lift * c * c * c * c + lift * .12 * c;
  float along = in2.x < in2.y ? q.y : q.x;
  float rib = abs(fract(along / pitch) - .5) * 2.; h += pitch * .26 * (1. - rib * rib) * smoothstep(1., .96, s);
  h += pitch * .10 * fract(e / (pitch * 1.5)); // each tile lies over the next
  h += .26 * smoothstep(.48, .20, abs(in2.x - in2.y) * .7); // hip ridges
  float edge = max(-in2.x, -in2.y);
  float d = max(p.y - h, h - .34 - p.y);
  d = max(d * .62, edge * .8);
  vec3 ridge = vec3(hf.x - run + .5, .46, .24); if (hf.y > hf.x) ridge = ridge.zyx;
  float beads = .05 * abs(fract((hf.y > hf.x ? p.z : p.x) * 1.6) - .5) * smoothstep(.1, .3, p.y - rise - .25);
  return min(d, box3(p - vec3(0., rise + .22, 0.), ridge) - .04 - beads);
}
// Horned ends of the main ridge.
float horns(vec3 p, vec2 hf, float rise) {
  float run = min(hf.x, hf.y); vec3 q = vec3(abs(p.x) - (hf.x - run), p.y - rise - .7, p.z); if (hf.y > hf.x) q = vec3(abs(p.z) - (hf.y - run), q.y, p.x);
  float bend = q.x - .9 + .55 * sin(q.y * 1.5); float w = mix(.34, .05, sat(q.y / 1.9));
  return max(box2(vec2(bend, q.z), vec2(w, .16)), abs(q.y - .6) - 1.2) * .7;
}
vec2 opU(vec2 a, vec2 b) { return a.x < b.x ? a : b; }
// 1 tiles, 2 walls, 3 stone, 4 gold
vec2 hall(vec3 p, vec2 hf, float wall, int tiers) {
  float top = wall * (1. + .62 * float(tiers - 1)) + min(hf.x, hf.y) * .8 + 2.5;
  float bd = box3(p - vec3(0., top * .5 - 1., 0.), vec3(hf.x + .5, top * .5 + 1., hf.y + .5)); if (bd > 1.2) return vec2(bd, 0.);
  vec2 d = vec2(box3(p - vec3(0., -.9, 0.), vec3(hf.x * .98, .9, hf.y * .98)), 3.);
  float y = 0.; float wh = wall; vec2 f = hf;
  for (int i = 0; i < 4; i++) {
    if (i >= tiers) break; bool last = i == tiers - 1;
    vec2 in2 = f - 1.7; d = opU(d, vec2(box3(p - vec3(0., y + wh * .5, 0.), vec3(in2.x, wh * .5, in2.y)), 2.));
    float rise = (last ? .80 : .62) * min(f.x, f.y) ;
    vec3 r = p - vec3(0., y + wh - .35, 0.);
    d = opU(d, vec2(roof(r, f, rise, 1.25, .52), 1.));
    d = opU(d, vec2(box3(r + vec3(0., .28, 0.), vec3(f.x - .9, .22, f.y - .9)), 2.5)); // painted brackets
    if (last) d = opU(d, vec2(horns(r, f, rise), 4.));
    y += wh + rise * .36; wh *= .62; f *= .72;
  }
  return d;
}
// The great hall first, then its neighbours, and two pagodas far off: place and wall height, extent and tiers.
const int HALLS = 9;
const vec4 hallAt[HALLS] = vec4[HALLS](vec4(1., 1.6, 74., 6.6), vec4(-25., -3., 58., 4.4), vec4(31., -2.5, 55., 4.8), vec4(-9., -4.5, 40., 3.8), vec4(-45., -4., 76., 5.), vec4(15.5, -4.5, 43., 3.6), vec4(-35., -1., 104., 8.4), vec4(44., -2., 92., 7.), vec4(-58., -4., 100., 5.));
const vec3 hallSize[HALLS] = vec3[HALLS](vec3(17., 10., 3.), vec3(9.5, 6., 1.), vec3(10., 6.5, 2.), vec3(7.5, 5., 1.), vec3(9., 7., 2.), vec3(6., 4.4, 1.), vec3(6.6, 6.6, 4.), vec3(8., 7., 3.), vec3(10., 6., 1.));
int seenHalls = 0; // those the ray can meet: the others are not asked again and again
void lookForHalls(vec3 ro, vec3 rd) {
  for (int i = 0; i < HALLS; i++) {
    vec3 hf = vec3(hallSize[i].x + .9, 0., hallSize[i].y + .9); float top = hallAt[i].w * (1. + .75 * (hallSize[i].z - 1.)) + min(hf.x, hf.z) * 1.25 + 3.; hf.y = top * .5 + 1.;
    vec3 c = hallAt[i].xyz + vec3(0., top * .5 - 1., 0.); vec3 k = 1. / rd, n = (ro - c) * k, e = abs(k) * hf; vec3 a = -n - e, b = -n + e;
    if (max(a.x, max(a.y, a.z)) < min(b.x, min(b.y, b.z))) seenHalls |= 1 << i;
  }
}
vec2 map(vec3 p) {
  // the near roof, on whose ridge somebody stands
  vec3 n = p - vec3(4.6, 3.0, 17.); n.xz = rot(-.10) * n.xz;
  vec2 d = vec2(1e3, 0.);
  float bd = box3(n - vec3(0., 2.2, 0.), vec3(17.5, 4.5, 8.4));
  if (bd > 1.) d = vec2(bd, 0.); else { d = vec2(roof(n, vec2(17., 8.), 4.35, 1.6, .62), 1.); d = opU(d, vec2(horns(n, vec2(17., 8.), 4.3), 4.)); d = opU(d, vec2(box3(n - vec3(0., -3., 0.), vec3(15., 3., 6.)), 2.)); }
  if (p.z < 30.) return opU(d, vec2(min(p.y + 5.5, 32. - p.z), 3.));
  for (int i = 0; i < HALLS; i++) if ((seenHalls >> i & 1) == 1) d = opU(d, hall(p - hallAt[i].xyz, hallSize[i].xy, hallAt[i].w, int(hallSize[i].z)));
  vec3 g = p - hallAt[0].xyz; // the great hall's terraces
  d = opU(d, vec2(box3(g - vec3(0., -2.6, 0.), vec3(24., 1.1, 15.)), 3.)); d = opU(d, vec2(box3(g - vec3(0., -1.3, 0.), vec3(20.5, .6, 12.5)), 3.));
  return opU(d, vec2(p.y + 5.5, 3.));
}
vec3 nrm(vec3 p, float e) {
  vec2 k = vec2(1., -1.);
  return normalize(k.xyy * map(p + k.xyy * e).x + k.yyx * map(p + k.yyx * e).x + k.yxy * map(p + k.yxy * e).x + k.xxx * map(p + k.xxx * e).x);
}
vec3 fogCol(vec3 rd) {
  vec2 q = rd.xz / max(length(rd.xz), .01); float a = exp(-pow((q.x - .02) * 3.2, 2.));
  return mix(vec3(.0155, .020, .056), vec3(.135, .052, .050), a * .75);
}
vec3 lanternLight(vec3 p, vec3 n, vec3 r) {
  vec3 s = vec3(0.);
  for (int i = 0; i < MAXL; i++) {
    if (float(i) >= uLanterns) break; vec4 L = uLantern[i]; vec3 d = L.xyz - p; float d2 = dot(d, d) + .6; if (d2 > 420.) continue;
    vec3 l = d * inversesqrt(d2); float w = L.w * L.w * 9. / d2 * smoothstep(420., 120., d2);
    s += vec3(1.5, .30, .075) * w * (sat(dot(n, l)) + .10) + vec3(1.6, .46, .14) * w * pow(sat(dot(r, l)), 18.) * 2.2;
  }
  return s;
}
vec3 shade(vec3 ro, vec3 rd, float t, float m) {
  vec3 p = ro + rd * t; vec3 n = nrm(p, .006 + t * .0007); vec3 r = reflect(rd, n);
  vec3 moon = normalize(vec3(moonAt() * vec2(1., 1.6), 1.)); float up = sat(n.y * .5 + .5);
  float rim = pow(1. - sat(dot(n, -rd)), 3.);
  float ao = sat(.45 + .8 * map(p + n * .7).x / .7);
  vec3 alb = vec3(.070, .088, .125), emi = vec3(0.); float gloss = 1.;
  if (m < 1.5) alb *= .75 + .5 * n2(p.xz * 3.1);
  else if (m < 2.9) {
    alb = m > 2.3 ? vec3(.06, .15, .17) : vec3(.34, .050, .030); gloss = .2;
    float u = abs(n.x) > abs(n.z) ? p.z : p.x; float bay = floor(u / 1.9); float x = fract(u / 1.9) - .5;
    float col = smoothstep(.34, .37, abs(x));
    float lat = smoothstep(.05, .09, abs(fract(u * 2.1) - .5)) * smoothstep(.05, .09, abs(fract(p.y * 1.7) - .5));
    float glow = (1. - col) * mix(.35, 1., lat) * (.45 + .75 * h1(bay * 1.3 + floor(p.y * .2)));
    if (m < 2.3 && abs(n.y) < .3) emi = vec3(1.10, .37, .085) * glow * mix(.38, 1., smoothstep(17.5, 12., abs(p.x - 1.)) * smoothstep(60., 64., p.z) * smoothstep(90., 80., p.z)) * smoothstep(-1., 2.2, p.y) * (.55 + .45 * n2(p.xy * .6));
    else if (m > 2.3) emi = vec3(.50, .17, .05) * (.35 + .65 * smoothstep(.1, .3, abs(fract(u * 1.1) - .5)));
  } else if (m < 3.5) { alb = vec3(.16, .15, .20) * (.7 + .5 * fbm2(p.xz * .8, 4)); gloss = .25; }
  else { alb = vec3(.40, .25, .10); }
  if (m < 1.5 && t < 26. && p.y > 7.2 && abs(n.y) < .5) { vec2 k = vec2(fract(p.x * 1.25) - .5, (p.y - 7.56) * .8); float ring = smoothstep(.035, .0, abs(length(k) - .26)) + smoothstep(.03, .0, abs(abs(k.x) + abs(k.y) - .11)) + smoothstep(.03, .0, abs(abs(p.y - 7.56) - .40)); alb = mix(alb * .55, vec3(.62, .36, .13), sat(ring) * .8); }
  vec3 amb = mix(vec3(.060, .030, .045), vec3(.105, .135, .33), up) * ao;
  vec3 c = alb * amb * 1.1 + alb * vec3(.75, .80, 1.05) * sat(dot(n, moon)) * .75;
  c += (vec3(.42, .44, .62) * rim * (.10 + .5 * pow(sat(dot(r, moon)), 3.))) * gloss * sat(.3 + n.y) * ao;
  c += lanternLight(p, n, r) * (alb * 2.2 + gloss * .045) * ao;
  c += emi;
  float f = 1. - exp(-max(t - 14., 0.) * .0085);
  float low = exp(-max(p.y + 2.5, 0.) * .20) * smoothstep(20., 44., t); low *= .45 + 1.25 * fbm2(p.xz * vec2(.035, .09) + vec2(0., p.y * .1), 5);
  if (m > 2.9 && p.y < -5.) f = max(f, smoothstep(25., 110., t));
  f = sat(f * mix(1., .55, smoothstep(8., 26., p.y)) + low * .85); return mix(c, fogCol(rd) * (m > 2.9 && p.y < -5. ? 1.25 : 1. + .5 * low), f * (m < 2.9 && m > 1.5 ? .72 : 1.));
}
// ---- lanterns: round, ribbed silk with caps of gilt wood and a tassel
vec4 silk(vec2 q, float id, float soft) { // colour and cover
  float v = q.y, u = q.x; float y = v / .80; float e = u * u + y * y; vec4 c = vec4(0.);
  // tassel
  float len = v + .95; float tw = .055 + .05 * sat(-len * .8); float tas = smoothstep(soft, -soft, max(abs(u) - tw, max(v + .86, -v - 1.95)));
  if (tas > 0.) c = vec4(mix(vec3(.60, .055, .022), vec3(1.1, .46, .12), smoothstep(-1.02, -.92, v)) * (.55 + .6 * h1(floor(u * 40.) + id)), tas);
  // string
  float st = smoothstep(soft, -soft, max(abs(u) - .018, abs(v - 1.10) - .2)); c = mix(c, vec4(.12, .05, .03, 1.), st * .8);
  float body = smoothstep(1. + soft * 2., 1. - soft * 2., e);
  if (body > 0.) {
    float lon = asin(clamp(u / sqrt(max(1. - y * y, .02)), -1., 1.)); float rib = pow(abs(sin(lon * 6.5)), .55);
    float fl = exp(-(u * u * 1.5 + pow(v + .16, 2.) * 2.6));
    vec3 k = mix(vec3(.42, .014, .006), vec3(1.55, .145, .022), pow(fl, 1.2)); k = mix(k, vec3(2.5, .66, .13), pow(fl, 4.5) * .8);
    k *= mix(.62, 1., rib) * (.72 + .28 * sqrt(max(1. - e, 0.))) * (.92 + .16 * h1(id * 3.3));
    c = mix(c, vec4(k, 1.), body);
  }
  float cap = smoothstep(soft, -soft, box2(vec2(u, abs(v) - .80), vec2(.38, .085)) - .02);
  vec3 gilt = vec3(.62, .27, .07) * (.45 + .9 * sat(.6 - abs(u + .1) * 1.6)) + vec3(.9, .3, .08) * .5 * step(v, 0.);
  return mix(c, vec4(gilt, 1.), cap);
}
vec3 lanterns(vec3 ro, vec3 rd, float tmax, vec3 c) {
  float best = tmax; vec4 hit = vec4(0.); vec3 halo = vec3(0.);
  for (int i = 0; i < MAXL; i++) {
    if (float(i) >= uLanterns) break; vec4 L = uLantern[i]; vec3 d = L.xyz - ro; float t = dot(d, rd); if (t < 1.) continue;
    vec3 q = rd * t - d; float r2 = dot(q, q) / (L.w * L.w); if (r2 > 190.) continue;
    float seen = t < tmax ? 1. : exp(-(t - tmax) * .5); float far = exp(-t * .0075);
    halo += vec3(.95, .13, .030) * seen * far * (.050 / (1. + r2 * .55) + .011 * smoothstep(190., 0., r2) * smoothstep(190., 0., r2));
    if (r2 < 4.6 && t < best) {
      vec3 rt = normalize(vec3(d.z, 0., -d.x)); float tilt = (h1(float(i) * 1.7) - .5) * .22;
      vec2 uv = rot(tilt) * vec2(dot(q, rt), q.y / sqrt(1. - rd.y * rd.y)) / L.w; vec4 s = silk(uv, float(i), 1.1 * t / (uRes.y * uView.z * L.w));
      if (s.a > .02) { best = t; hit = vec4(mix(fogCol(rd) * 1.6, s.rgb, mix(.62, 1., far)), s.a); }
    }
  }
  return mix(c, hit.rgb, hit.a) + halo;
}
void main() {
  vec2 fc = gl_FragCoord.xy + uOff; vec2 uv = (fc + uJit - .5 * uRes) / uRes.y;
  vec3 ro = vec3(0., 9., 0.); vec3 rd = normalize(vec3(uv - uView.xy, uView.z));
  lookForHalls(ro, rd); bool far = rd.y > .07;
  float t = far ? 30. : 6., m = 0., tmax = far && seenHalls == 0 ? 0. : 140.; vec3 c; bool hit = false;
  for (int i = 0; i < 130; i++) { if (t > tmax) break; vec2 h = map(ro + rd * t); if (h.x < .0007 * t) { hit = true; m = h.y; break; } t += h.x * .9; if (t > tmax) break; if (rd.y > 0. && ro.y + rd.y * t > 36.) { t = tmax + 1.; break; } }
  if (!hit && t < min(tmax, 135.)) { hit = true; m = map(ro + rd * t).y; }
  if (hit) c = shade(ro, rd, t, m); else { c = backdrop(rd); t = 400.; c = mix(c, fogCol(rd) * 1.25, smoothstep(.13, -.01, rd.y) * mix(.55 + .5 * fbm2(vec2(rd.x * 5., rd.y * 22.), 4), 1., smoothstep(.035, -.005, rd.y))); }
  c = lanterns(ro, rd, t, c);
  o = vec4(max(c, 0.), 1.);
}
