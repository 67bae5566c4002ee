// Paw & Petal key art: a garden valley in bright morning light, modelled like soft clay. The left side lies in the shade
// of a great tree, so that light text can stand on it. Units are metres; the camera is at a child's height.
uniform vec4 uView; // subject x, horizon y (screen heights, 0 = centre), focal length, unused

const vec3 SUN = normalize(vec3(.52, .62, -.42)); const vec3 EYE = vec3(0., 2.9, 0.);
const vec3 FOX = vec3(.15, 0., 9.4), RAB = vec3(-2.05, 0., 10.2), HOUSE = vec3(6.3, 0., 30.), OAK = vec3(-13.2, 0., 13.5);
float gs(vec2 p, vec2 c, vec2 w) { vec2 q = (p - c) / w; return exp(-dot(q, q)); }
float ground(vec2 p) {
  float h = .55 * sin(p.x * .16 + 1.2) * sin(p.y * .13 + .4) + .28 * sin(p.x * .31 + p.y * .22) - .35;
  h += 1.55 * gs(p, vec2(.7, 11.2), vec2(5.2, 4.2)) + 2.7 * gs(p, HOUSE.xz + vec2(.6, 2.), vec2(10., 8.)) + 1.2 * gs(p, OAK.xz, vec2(6., 7.)) - .8 * gs(p, vec2(-6., 20.), vec2(7., 8.));
  h += smoothstep(36., 120., p.y) * (4.2 + 5.5 * sin(p.x * .052 + 1.6) * sin(p.y * .031 + .3) + 3. * sin(p.x * .095 - p.y * .02)); return h;
}
float smin(float a, float b, float k) { float h = sat(.5 + .5 * (b - a) / k); return mix(b, a, h) - k * h * (1. - h); }
float ell(vec3 p, vec3 r) { float k = length(p / r); return k * (k - 1.) / length(p / (r * r)); }
float cap(vec3 p, vec3 a, vec3 b, float r) { vec3 pa = p - a, ba = b - a; return length(pa - ba * sat(dot(pa, ba) / dot(ba, ba))) - r; }
float box3(vec3 p, vec3 b) { vec3 d = abs(p) - b; return length(max(d, 0.)) + min(max(d.x, max(d.y, d.z)), 0.); }
vec2 opU(vec2 a, vec2 b) { return a.x < b.x ? a : b; }
// ---- animals; each looks along -z in its own space. Materials: 10 fox, 11 rabbit, 12 black, 13 pink, 14 dark paws
vec3 toFox(vec3 p) { vec3 q = p - vec3(FOX.x, ground(FOX.xz) - .06, FOX.z); q.xz = rot(.22) * q.xz; return q / .98; }
vec3 toRab(vec3 p) { vec3 q = p - vec3(RAB.x, ground(RAB.xz) - .05, RAB.z); q.xz = rot(-.62) * q.xz; return q / .84; }
vec2 fox(vec3 p) {
  vec3 m = vec3(abs(p.x), p.yz); float d = ell(p - vec3(0., .72, .05), vec3(.50, .68, .50)); d = smin(d, ell(m - vec3(.36, .34, .06), vec3(.26, .34, .42)), .12);
  float head = ell(p - vec3(0., 1.66, -.10), vec3(.60, .49, .50)); head = smin(head, ell(m - vec3(.34, 1.52, -.14), vec3(.30, .24, .30)), .12); head = smin(head, ell(p - vec3(0., 1.52, -.56), vec3(.19, .145, .25)), .13);
  vec3 e = m - vec3(.37, 2.13, -.02); e.xy = rot(.28) * e.xy; float ear = ell(e, vec3(.21, .38, .13)); ear = max(ear, -ell(e - vec3(0., -.04, -.13), vec3(.12, .27, .09))); head = smin(head, ear, .06); d = smin(d, head, .10);
  d = smin(d, cap(m, vec3(.19, .75, -.34), vec3(.20, .16, -.44), .145), .08); vec2 r = vec2(d, 10.);
  float tl = length(p - vec3(.50, .26, .22)) - .22; tl = smin(tl, length(p - vec3(.86, .38, .14)) - .31, .16); tl = smin(tl, length(p - vec3(1.08, .74, .10)) - .33, .18); tl = smin(tl, length(p - vec3(1.04, 1.12, .08)) - .23, .2); tl = smin(tl, length(p - vec3(.94, 1.36, .08)) - .10, .16); r = opU(r, vec2(tl, 15.));
  r = opU(r, vec2(ell(m - vec3(.20, .10, -.50), vec3(.16, .12, .20)), 14.)); r = opU(r, vec2(ell(m - vec3(.235, 1.72, -.545), vec3(.070, .088, .05)), 12.)); r = opU(r, vec2(ell(p - vec3(0., 1.585, -.80), vec3(.080, .060, .06)), 12.)); return r;
}
vec2 rabbit(vec3 p) {
  vec3 m = vec3(abs(p.x), p.yz); float d = ell(p - vec3(0., .52, .12), vec3(.50, .52, .58)); d = smin(d, ell(m - vec3(.34, .26, .18), vec3(.24, .27, .38)), .1); float h = ell(p - vec3(0., 1.16, -.28), vec3(.44, .40, .40)); h = smin(h, ell(m - vec3(.17, 1.03, -.52), vec3(.17, .13, .15)), .08);
  vec3 e = m - vec3(.19, 1.80, -.20); e.xy = rot(.17) * e.xy; float ear = ell(e, vec3(.135, .46, .09)); ear = max(ear, -ell(e - vec3(0., 0., -.10), vec3(.075, .36, .07))); h = smin(h, ear, .05); d = smin(d, h, .10); d = smin(d, ell(m - vec3(.17, .16, -.42), vec3(.12, .16, .18)), .05);
  vec2 r = vec2(d, 11.); r = opU(r, vec2(length(p - vec3(0., .42, .70)) - .20, 11.)); r = opU(r, vec2(ell(m - vec3(.205, 1.22, -.625), vec3(.058, .078, .05)), 12.)); r = opU(r, vec2(ell(p - vec3(0., 1.10, -.675), vec3(.05, .038, .04)), 13.)); return r;
}
// ---- house: 20 wall, 21 roof, 22 door, 23 window, 24 stone
vec3 toHouse(vec3 p) { vec3 q = p - vec3(HOUSE.x, ground(HOUSE.xz) - .1, HOUSE.z); q.xz = rot(.42) * q.xz; return q / 1.12; }
vec2 house(vec3 p) {
  vec2 r = vec2(box3(p - vec3(0., 1.2, 0.), vec3(2.3, 1.3, 1.7)) - .12, 20.); float sag = .10 * cos(p.x * .62); r = opU(r, vec2(max(max(dot(vec2(abs(p.z), p.y) - vec2(0., 3.75), vec2(.61, .79)), -p.y + 0.), -100.), 20.)); r.x = max(r.x, box3(p - vec3(0., 2., 0.), vec3(2.42, 2.4, 1.82)));
  vec2 q = vec2(abs(p.z), p.y - 3.95 + sag + .10 * abs(p.x) * -.2); float roof = abs(dot(q, normalize(vec2(.62, .80)))) - .16; roof = max(roof, max(abs(p.x) - 2.95, q.x - 2.55)); roof = max(roof, 1.4 - p.y); roof += .035 * sin(p.x * 9. + floor(p.y * 4.2) * 1.57) * .6 + .03 * abs(sin(p.y * 6.6)); r = opU(r, vec2((roof - .06) * .75, 21.));
  r = opU(r, vec2(box3(p - vec3(1.45, 3.9, .35), vec3(.34, 1.0, .34)) - .05, 24.)); r = opU(r, vec2(box3(p - vec3(1.45, 4.9, .35), vec3(.44, .12, .44)) - .05, 24.));
  vec3 d = p - vec3(-.2, .95, -1.84); float door = max(length(vec2(d.x, max(d.y - .25, 0.) )) - .58, max(abs(d.z) - .10, -d.y - .95)); r = opU(r, vec2(door, 22.)); r = opU(r, vec2(max(abs(length(vec2(d.x, max(d.y - .25, 0.))) - .66) - .08, max(abs(d.z) - .14, -d.y - .95)), 24.));
  vec3 w = p - vec3(1.35, 1.45, -1.84); float fr = length(w.xy) - .52; r = opU(r, vec2(max(fr, abs(w.z) - .06), 23.)); r = opU(r, vec2(max(abs(fr) - .07, abs(w.z) - .13), 22.)); r = opU(r, vec2(max(min(abs(w.x), abs(w.y)) - .04, max(fr, abs(w.z) - .10)), 22.)); w.x += 2.95; fr = length(w.xy) - .42; r = opU(r, vec2(max(fr, abs(w.z) - .06), 23.)); r = opU(r, vec2(max(abs(fr) - .06, abs(w.z) - .13), 22.)); r = opU(r, vec2(box3(p - vec3(1.35, .72, -2.0), vec3(.62, .14, .18)) - .04, 24.)); return r;
}
// ---- trees: 30 trunk, 31 leaf, 32 blossom, 33 leaf of the great tree
float crown(vec3 p, float r, float seed) {
  float d = length(p) - r; if (d > r * .9) return d - r * .25; d = smin(d, length(p - vec3(.62, -.18, -.2) * r) - r * .66, r * .18); d = smin(d, length(p - vec3(-.66, -.22, .1) * r) - r * .62, r * .18); d = smin(d, length(p - vec3(.1, .42, -.1) * r) - r * .70, r * .2);
  return (d - (fbm3(p * 3.1 / r + seed, 3) - .5) * r * .46 - (n3(p * 13. / r + seed) - .5) * r * .13) * .72;
}
vec2 tree(vec3 p, vec2 at, float h, float r, float seed, float mat) { vec3 q = p - vec3(at.x, ground(at), at.y); vec2 o = vec2(crown(q - vec3(0., h, 0.), r, seed), mat); return opU(o, vec2(cap(q, vec3(0.), vec3(0., h, 0.), .10 * r), 30.)); }
vec2 things(vec3 p) {
  vec2 r = vec2(1e3, 0.); float b = length(p - FOX - vec3(.2, 1.4 + ground(FOX.xz), 0.)) - 1.75; r = opU(r, b > .4 ? vec2(b, 0.) : fox(toFox(p)) * vec2(.98, 1.)); b = length(p - RAB - vec3(0., 1.1 + ground(RAB.xz), 0.)) - 1.5; r = opU(r, b > .4 ? vec2(b, 0.) : rabbit(toRab(p)) * vec2(.84, 1.));
  b = length(p - HOUSE - vec3(0., 2.5 + ground(HOUSE.xz), 0.)) - 5.4; r = opU(r, b > .8 ? vec2(b, 0.) : house(toHouse(p)) * vec2(1.12, 1.));
  if (p.z > 20.) { r = opU(r, tree(p, vec2(12.6, 33.5), 4.6, 2.5, 1., 31.)); r = opU(r, tree(p, vec2(-1.2, 37.), 4.0, 2.2, 5., 32.)); r = opU(r, tree(p, vec2(16.2, 30.), 3.2, 1.9, 9., 32.)); r = opU(r, tree(p, vec2(-9., 47.), 4.8, 2.8, 13., 31.)); r = opU(r, tree(p, vec2(20., 44.), 5.2, 3.1, 17., 31.)); r = opU(r, tree(p, vec2(-19., 58.), 5., 3.2, 19., 32.)); r = opU(r, tree(p, vec2(1.5, 62.), 4.4, 3., 23., 31.)); } else r = opU(r, vec2(max(21.5 - p.z, .5), 0.));
  if (p.x < -2.) { vec3 q = p - vec3(OAK.x, ground(OAK.xz), OAK.z); float tr = cap(q, vec3(0.), vec3(.5, 6., 0.), 1.05 - .06 * q.y); tr = smin(tr, cap(q, vec3(.3, 3.6, 0.), vec3(5.2, 7.6, -.5), .42), .5); r = opU(r, vec2((tr - .10 * n3(q * vec3(4., .9, 4.))) * .8, 30.)); r = opU(r, vec2(crown(q - vec3(1.2, 9.2, -.5), 4.9, 31.), 33.)); r = opU(r, vec2(crown(q - vec3(6.6, 8.3, -.6), 2.7, 37.), 33.)); r = opU(r, vec2(crown(q - vec3(10.4, 8.2, -.9), 1.9, 41.), 33.)); } else r = opU(r, vec2(max(-1. - p.x, 0.) + p.x + 3.2, 0.));
  return r;
}
// ---- flowers: one per cell, standing on a stem. 40+ is the flower's colour
vec2 flowers(vec3 p, float g) {
  if (p.y - g > 1.2 || p.z > 46. || p.z < 4.5) return vec2(1e3, 0.); float c = p.z < 17. ? .44 : .85; vec2 id = floor(p.xz / c); vec2 f = p.xz - (id + .5) * c; ivec2 k = ivec2(id); float r = h2(k);
  float patch_ = fbm2(id * c * .21 + 3., 3); if (r > smoothstep(.34, .60, patch_) * .95 + .27) return vec2(c * .45, 0.);
  float w = gs(p.xz, FOX.xz, vec2(.85, .7)) + gs(p.xz, RAB.xz, vec2(.75, .7)); if (w > .42) return vec2(c * .45, 0.); vec2 o = (vec2(h2(k + 71), h2(k + 37)) - .5) * c * .42; float h = .10 + .20 * h2(k + 11); float R = c * (.19 + .11 * h2(k + 5)); vec3 q = vec3(f.x - o.x, p.y - g - h, f.y - o.y);
  vec3 l = q; l.yz = rot(.85) * l.yz; l.xz = rot(h2(k + 23) * 6.) * l.xz; float a = atan(l.z, l.x); float d = ell(l, vec3(R * (.74 + .30 * cos(a * 5.)), R * .36, R * (.74 + .30 * cos(a * 5.)))) * .62; float mid = length(l - vec3(0., R * .20, 0.)) - R * .30; float m = 40. + floor(h2(k + 91) * 3. + fbm2(id * c * .10 + 20., 3) * 4.); vec2 v = vec2(d, m); v = opU(v, vec2(mid, 49.)); v = opU(v, vec2(cap(q, vec3(0.), vec3(0., -h, 0.), .018), 48.)); v.x = min(v.x, max(c * .5 - max(abs(f.x), abs(f.y)), .02) + .06); return v;
}
vec2 map(vec3 p) { float g = ground(p.xz); vec2 r = vec2((p.y - g) * .80, 1.); r = opU(r, flowers(p, g)); return opU(r, things(p)); }
vec2 mapNoFlower(vec3 p) { return opU(vec2((p.y - ground(p.xz)) * .8, 1.), things(p)); }
vec3 nrm(vec3 p, float e) { vec2 k = vec2(1., -1.); return normalize(k.xyy * map(p + k.xyy * e).x + k.yyx * map(p + k.yyx * e).x + k.yxy * map(p + k.yxy * e).x + k.xxx * map(p + k.xxx * e).x); }
vec2 march(vec3 ro, vec3 rd) { float t = 3.5; for (int i = 0; i < 190; i++) { vec2 h = map(ro + rd * t); if (h.x < .00055 * t) return vec2(t, h.y); t += h.x * .9; if (t > 190.) break; } return vec2(-1., 0.); }
float shadow(vec3 p, vec3 l) { float s = 1., t = .06; for (int i = 0; i < 26; i++) { float h = things(p + l * t).x; s = min(s, 9. * h / t); t += clamp(h, .06, 1.4); if (s < .02 || t > 16.) break; } return sat(s); }
// ---- sky with fair-weather cumulus
vec3 cloud(vec3 c, vec2 uv, vec2 at, float s, float seed) {
  vec2 p = (uv - at) / s; if (abs(p.x) > 1.9 || p.y > 1.3 || p.y < -.5) return c; float d = 1e3; for (int i = 0; i < 7; i++) { float f = float(i); float x = (f - 3.) * .40 + .12 * (h1(f + seed) - .5); float r = .46 * (1. - .085 * abs(f - 3.) * abs(f - 3.) * .75) * (.75 + .5 * h1(f * 3. + seed)); d = smin(d, length((p - vec2(x, r * .55)) * vec2(.92, 1.)) - r, .10); } d = max(d, -p.y - .02 * sin(p.x * 9.) - .03);
  float n = fbm2(p * 3.4 + seed, 5) - .5; d += n * .26 + (fbm2(p * 9. + seed, 3) - .5) * .07; float a = smoothstep(.07, -.06, d); float lit = sat(.50 + (fbm2(p * 3.4 + seed + vec2(-.16, -.20), 5) - .5 - n) * 2.2 + p.y * .55 + p.x * .12); vec3 k = mix(vec3(.60, .74, .93), vec3(1.22, 1.16, 1.08), smoothstep(.12, .86, lit)); return mix(c, k, a * .96);
}
vec3 sky(vec2 uv) {
  float y = uv.y; vec3 c = mix(vec3(.78, .90, .94), vec3(.36, .64, .94), smoothstep(-.02, .30, y)); c = mix(c, vec3(.17, .44, .86), smoothstep(.22, .70, y)); c += vec3(.30, .22, .08) * exp(-length(uv - vec2(.62, .42)) * 3.2); c = mix(c, c * 1.06 + .04, smoothstep(.55, .8, fbm2(vec2(uv.x * 1.2 + uv.y, uv.y * 5.) + 3., 5)) * .6);
  c = cloud(c, uv, vec2(-.55, .16), .20, 2.); c = cloud(c, uv, vec2(.06, .30), .13, 11.); c = cloud(c, uv, vec2(.52, .135), .155, 7.); c = cloud(c, uv, vec2(-.22, .095), .10, 19.); c = cloud(c, uv, vec2(.30, .08), .085, 23.); c = cloud(c, uv, vec2(-1.15, .30), .17, 29.); return c;
}
vec3 petal(float m) { return m < 40.5 ? vec3(.98, .34, .30) : m < 41.5 ? vec3(1., .60, .62) : m < 42.5 ? vec3(1., .93, .86) : m < 43.5 ? vec3(1., .76, .26) : m < 44.5 ? vec3(.72, .56, .95) : vec3(1., .50, .36); }
void main() {
  vec2 fc = gl_FragCoord.xy + uOff; vec2 full = (fc + uJit - .5 * uRes) / uRes.y; vec2 uv = full - uView.xy; vec3 rd = normalize(vec3(uv, uView.z)); vec2 h = march(EYE, rd); vec3 c = sky(uv);
  if (h.x > 0.) {
    vec3 p = EYE + rd * h.x; float m = h.y; vec3 n = nrm(p, .0016 * h.x + .002); vec3 alb = vec3(.5); float soft = .25, gloss = 0.; vec3 add = vec3(0.);
    if (m < 1.5) {
      float v = fbm2(p.xz * .16, 4); float fine = fbm2(p.xz * vec2(5., 2.2), 4); alb = mix(vec3(.165, .37, .085), vec3(.33, .53, .125), smoothstep(.25, .75, v)); alb = mix(alb, vec3(.13, .36, .13), smoothstep(.5, .85, fbm2(p.xz * .07 + 9., 3)) * .55); alb *= .50 + .60 * fine + .42 * fbm2(p.xz * vec2(19., 8.), 3);
      float px_ = p.x - 1.1 * sin(p.z * .24 + .8) - (p.z - 12.) * .13; float pt = smoothstep(.80, .52, abs(px_ - .9) + .35 * (fbm2(p.xz * 1.6, 3) - .5)) * smoothstep(13.2, 15., p.z) * smoothstep(30., 28.4, p.z); alb = mix(alb, vec3(.80, .66, .44) * (.75 + .5 * fine), pt);
      float fl = smoothstep(.60, .72, n2(p.xz * 1.7)) * smoothstep(40., 60., p.z) * smoothstep(.48, .62, fbm2(p.xz * .06 + 2., 3)); alb = mix(alb, petal(40. + floor(6. * n2(floor(p.xz * .10)))), fl * .7); n = normalize(n + .32 * (vec3(n2(p.xz * 9.), .5, n2(p.xz * 9. + 31.)) - .5) * smoothstep(50., 8., h.x));
    } else if (m < 10.5) { vec3 q = toFox(p); alb = vec3(.93, .36, .10); float face = smoothstep(.06, -.06, q.y - 1.56 - .16 * abs(abs(q.x) - .34) + .5 * max(-q.z - .75, 0.) - .10 * smoothstep(.10, .4, abs(q.x))) * smoothstep(-.05, -.22, q.z) * step(1.0, q.y); float chest = smoothstep(.30, .20, abs(q.x) + .25 * abs(q.y - .95)) * smoothstep(-.24, -.34, q.z) * step(q.y, 1.35) * smoothstep(.35, .6, q.y); alb = mix(alb, vec3(.99, .92, .82), max(face, chest)); float ear = smoothstep(2.28, 2.42, q.y); alb = mix(alb, vec3(.22, .10, .06), ear); alb = mix(alb, vec3(.22, .10, .06), smoothstep(.34, .22, q.y) * smoothstep(-.25, -.35, q.z) * step(abs(q.x), .4)); alb = mix(alb, vec3(1., .62, .55), smoothstep(.085, .04, length((vec2(abs(q.x), q.y) - vec2(.42, 1.52)) * vec2(.8, 1.))) * step(q.z, -.2) * .8); soft = .45; }
    else if (m < 11.5) { vec3 q = toRab(p); alb = vec3(.97, .92, .87); vec3 e = vec3(abs(q.x), q.yz) - vec3(.19, 1.80, -.20); e.xy = rot(.17) * e.xy; alb = mix(alb, vec3(1., .60, .60), smoothstep(.085, .06, length(e.xy * vec2(1., .2))) * step(e.z, -.035) * step(1.42, q.y)); alb = mix(alb, vec3(1., .66, .62), smoothstep(.09, .04, length(vec2(abs(q.x), q.y) - vec2(.29, 1.06))) * step(q.z, -.3) * .7); soft = .5; }
    else if (m < 12.5) { alb = vec3(.022, .016, .016); gloss = 1.; } else if (m < 13.5) alb = vec3(1., .48, .48); else if (m < 14.5) alb = vec3(.20, .095, .055); else if (m < 15.5) { vec3 q = toFox(p); alb = mix(vec3(.93, .36, .10), vec3(.99, .93, .84), smoothstep(.98, 1.08, q.y + .06 * sin(q.x * 30.))); soft = .45; }
    else if (m < 20.5) { alb = vec3(.98, .88, .72) * (.9 + .2 * fbm3(p * 2.5, 3)); } else if (m < 21.5) { vec3 q = toHouse(p); alb = mix(vec3(.92, .34, .26), vec3(1., .50, .36), h2(ivec2(floor(vec2(q.x * 2.2 + floor(q.y * 4.2) * .5, q.y * 4.2))))); } else if (m < 22.5) alb = vec3(.30, .58, .42); else if (m < 23.5) { alb = vec3(.95, .82, .48); add = vec3(.42, .30, .10); } else if (m < 24.5) alb = vec3(.72, .64, .58) * (.8 + .4 * fbm3(p * 3., 3));
    else if (m < 30.5) alb = vec3(.30, .185, .115) * (.7 + .6 * fbm3(p * vec3(3., .8, 3.), 3)); else if (m < 31.5) { alb = mix(vec3(.17, .42, .12), vec3(.46, .66, .18), fbm3(p * 1.4, 3)); soft = .4; } else if (m < 32.5) { alb = mix(vec3(.98, .48, .50), vec3(1., .78, .76), fbm3(p * 1.6, 3)); soft = .5; } else if (m < 33.5) { alb = mix(vec3(.075, .26, .10), vec3(.30, .50, .13), fbm3(p * 1.1, 4)); soft = .35; }
    else if (m < 47.5) { alb = petal(m); soft = .55; } else if (m < 48.5) alb = vec3(.22, .46, .12); else alb = vec3(1., .74, .18);
    float sh = h.x < 75. ? shadow(p + n * .03, SUN) : 1.; float dif = sat((dot(n, SUN) + soft) / (1. + soft)); float occ = 1.; if (h.x < 60.) { for (int i = 1; i < 4; i++) { float q = .16 * float(i); occ -= .26 / float(i) * max(0., q - mapNoFlower(p + n * q).x / .85) / q * 1.4; } occ = sat(occ); }
    c = alb * (vec3(1.36, 1.20, .94) * dif * mix(.12, 1., sh) + mix(vec3(.25, .30, .18), vec3(.42, .56, .78), n.y * .5 + .5) * .62 * mix(.45, 1., occ)) + add; float rim = pow(1. - sat(dot(n, -rd)), 3.); c += alb * vec3(.8, .78, .6) * rim * soft * .9 * mix(.4, 1., sh); if (gloss > 0.) { vec3 r = reflect(rd, n); c += vec3(2.2) * smoothstep(.955, .975, dot(r, normalize(vec3(.30, .62, -.7)))) + vec3(.10, .13, .17) * sat(r.y); }
    if (m < 1.5) c += vec3(.10, .14, .02) * pow(sat(dot(rd, normalize(vec3(SUN.x, 0., 1.)))), 3.) * sh * .5;
    float f = 1. - exp(-max(h.x - 14., 0.) * .0068); c = mix(c, vec3(.70, .85, .90), sat(f) * .92);
  }
  // the great tree's shade: cool, broken by a few patches of light
  float s = smoothstep(-1.02, .0, uv.x + .20 * uv.y); float dap = smoothstep(.56, .74, fbm2(uv * vec2(5., 6.5) + 4., 4)) * .10; s = uView.x > .2 ? s : mix(.62, 1., smoothstep(-.8, -.1, uv.x)); c *= mix(vec3(.100, .165, .190) + dap * vec3(.8, .9, .5) * .5, vec3(1.), s);
  c += vec3(.010, .017, .020) * (1. - s); o = vec4(max(c, 0.), 1.); // even the shade has colour
}
