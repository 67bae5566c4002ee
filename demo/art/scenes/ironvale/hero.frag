// Ironvale key art: war machines walk a frozen valley at dawn. Everything stands in cold fog; the only warm things are one
// low sun and the lights behind the cockpit glass. Units are metres; the camera stands on a ledge six metres above the ice.
uniform vec4 uView; // subject x, horizon y (screen heights, 0 = centre), focal length, sun offset from the subject

const float EYE = 6.;
vec3 sunDir() { return normalize(vec3(uView.w, .075, uView.z)); }
float glowTo(vec3 rd) { return max(dot(rd, sunDir()), 0.); }
vec3 fogCol(vec3 rd) {
  float s = glowTo(rd); float e = max(rd.y, 0.);
  vec3 cold = mix(vec3(.112, .165, .225), vec3(.036, .066, .118), smoothstep(.0, .36, e));
  cold *= mix(.30, 1., pow(s, 4.5));
  return cold + vec3(1.0, .45, .14) * (pow(s, 34.) * .26 + pow(s, 160.) * .40) + vec3(.30, .20, .15) * pow(s, 8.) * .13;
}
vec3 sky(vec3 rd) {
  vec3 c = fogCol(rd); float s = glowTo(rd);
  vec2 q = rd.xy / max(rd.z, .1); q.y = q.y * 3.4 + q.x * .25;
  q += .32 * vec2(fbm2(q * 1.7 + 4., 4), fbm2(q * 1.7 + 31., 4));
  float n = fbm2(q * vec2(1.5, 2.1) + 2., 6);
  float m = smoothstep(.40, .74, n) * smoothstep(.04, .24, rd.y);
  vec3 lit = mix(vec3(.115, .165, .225), vec3(.95, .48, .22), pow(s, 26.) * .7);
  c = mix(c, lit, m * .55);
  float dk = smoothstep(.48, .78, fbm2(q * vec2(1.1, 1.7) + 13., 5)) * smoothstep(.10, .34, rd.y);
  c = mix(c, c * vec3(.50, .57, .68), dk * .8);
  // the disc itself, its lower half eaten by fog
  float r = length(rd.xy / rd.z - sunDir().xy / sunDir().z) / .068;
  c += vec3(2.3, 1.02, .28) * (1. - smoothstep(.93, 1.03, r)) * (.70 + .30 * smoothstep(-1., 1., (rd.y / rd.z - sunDir().y / sunDir().z) / .06));
  c += vec3(1., .50, .17) * .20 / (1. + pow(max(r - 1., 0.) * 1.9, 1.8));
  return c;
}
// ---- mountains: two ranges that open where the sun rises
float ridged(vec2 p, int k) { float a = .5, s = 0.; for (int i = 0; i < 8; i++) { if (i >= k) break; float n = 1. - abs(2. * n2(p) - 1.); s += a * n * n; p = rot(.5) * p * 2.05 + 9.7; a *= .5; } return s; }
vec4 range(vec2 q, vec3 rd, float seed, float rise, float open, float haze) {
  float x = q.x - sunDir().x / sunDir().z; float ax = abs(x + .04);
  float h = rise * smoothstep(open * .25, open * 2.8, ax) * (.45 + 1.1 * n2(vec2(q.x * 2.1 + seed, seed))) + .055 * (ridged(vec2(q.x * 4. + seed, seed * 3.), 7) - .3) * (.25 + 2.2 * smoothstep(0., open * 2.5, ax));
  float d = h - q.y; float a = smoothstep(0., .0016, d); if (a <= 0.) return vec4(0.);
  // rock and snow: slopes drawn from the same ridged noise, lit from the sun's side
  vec2 w = vec2(q.x * 6. + seed, q.y * 8.5 - q.x * 1.4 * sign(x)); w += .25 * vec2(fbm2(w * 2., 3), fbm2(w * 2. + 7., 3));
  float e = .035; float r0 = ridged(w, 6); float rx = ridged(w + vec2(e * -sign(x), e * .5), 6);
  float lit = sat(.5 + (r0 - rx) * 7.); float snow = smoothstep(.34, .70, r0 + .25 * smoothstep(.18, .0, d));
  vec3 c = mix(vec3(.030, .043, .066), mix(vec3(.050, .078, .120), vec3(.20, .225, .265), lit), snow);
  c += vec3(.85, .40, .15) * lit * snow * .34 * exp(-ax * 3.2);
  float f = haze + (1. - haze) * smoothstep(.22, -.005, q.y);
  return vec4(mix(c, fogCol(normalize(vec3(rd.x, max(rd.y * .5, .012), rd.z))), sat(f)), a);
}
// ---- rows of pines on rising banks
float pine(vec2 p, float h, float seed) { // p: from the foot; returns signed width
  float t = p.y / h; if (t < 0. || t > 1.02) return -1.;
  float n = 7. + 3. * h1(seed); float k = t * n; float tier = fract(k);
  float w = h * .215 * (1. - t) * (1.12 - .55 * tier) + h * .010;
  w += h * .022 * (n2(vec2(p.y * 26. / h + seed * 7., p.x * 12. / h + seed)) - .5) * (1.2 - t) * 2.;
  if (t < .045) w = h * .018;
  return w - abs(p.x - h * .012 * sin(t * 3. + seed));
}
float bankH(float x, float z, float seed) {
  float c = x - uView.w / uView.z * z * .55; float v = 9. + z * .150;
  float s = smoothstep(v * .55, v * 2.4, abs(c));
  return s * (z * .060 + 3.) * (.55 + .9 * n2(vec2(x * 2.6 / v + seed, seed))) - .25;
}
vec4 pineRow(vec2 uv, float z, float seed, float size, vec3 rd, float px) {
  float x = uv.x * z / uView.z, y = EYE + uv.y * z / uView.z; float g = bankH(x, z, seed);
  float a = 0.; float snow = 0.; float cell = size * .34; float i0 = floor(x / cell);
  for (int k = -2; k <= 2; k++) {
    float id = i0 + float(k); float r = h1(id * 1.37 + seed * 19.); float cx = (id + .5 + (h1(id + seed) - .5) * .9) * cell;
    float gh = bankH(cx, z, seed); float dens = smoothstep(.04, .35, gh / (z * .05 + 2.)); if (r > .25 + .75 * dens || gh < .1) continue;
    float h = size * (.45 + .75 * h1(id * 3.7 + seed)) * (.75 + .25 * dens); float w = pine(vec2(x - cx, y - gh + .3), h, id + seed);
    float t = sat((y - gh) / h); float c = smoothstep(-px * z, px * z, w * 1.2);
    if (c > 0.) { float n = 7. + 3. * h1(id + seed); snow = mix(snow, smoothstep(.55, .05, fract(t * n)) * smoothstep(.0, .55, w / (h * .12)) * .0 + smoothstep(.50, .95, n2(vec2(x * 9. / size * 6., y * 30. / size * 2.) + id)) * smoothstep(.1, .5, t), c); }
    a = max(a, c);
  }
  float gb = smoothstep(-px * z, px * z, g - y); vec3 tree = mix(vec3(.012, .021, .030), vec3(.11, .155, .205), snow * .55);
  float drift = fbm2(vec2(x * .35 / size * 8., y * 1.6 / size * 8.) + seed, 4);
  vec3 bank = mix(vec3(.050, .078, .118), vec3(.155, .205, .270), smoothstep(.35, .7, drift)); bank += vec3(.8, .36, .13) * .22 * pow(glowTo(rd), 40.);
  vec3 c = mix(tree, bank, gb * (1. - a * .999 * step(.0, y - g) )); float al = max(a, gb);
  if (gb > .5) c = bank; return vec4(c, al);
}
// ---- the machines
float box2(vec2 p, vec2 b) { vec2 d = abs(p) - b; return length(max(d, 0.)) + min(max(d.x, d.y), 0.); }
float box3(vec3 p, vec3 b) { vec3 d = abs(p) - b; return length(max(d, 0.)) + min(max(d.x, max(d.y, d.z)), 0.); }
float cap(vec3 p, vec3 a, vec3 b, float r) { vec3 pa = p - a, ba = b - a; return length(pa - ba * sat(dot(pa, ba) / dot(ba, ba))) - r; }
float limb(vec3 p, vec3 a, vec3 b, float w, float d) { // a plated, slightly tapering girder from a to b
  vec3 ba = b - a; float L = length(ba); vec3 y = ba / L, x = normalize(cross(y, vec3(0., 0., 1.))), z = cross(x, y); vec3 q = p - a; q = vec3(dot(q, x), dot(q, y), dot(q, z));
  float t = sat(q.y / L); float k = mix(1., .68, t); float r = box3(q - vec3(0., L * .5, 0.), vec3(w * k, L * .5, d * k) - .06) - .06;
  r = max(r, -box3(q - vec3(w * k, L * .5, 0.), vec3(.08, L * .30, d * .35)));
  r = min(r, box3(q - vec3(0., L * .32, -d * 1.02), vec3(w * .62, L * .20, .09)) - .03); return r;
}
float cylX(vec3 p, float r, float h) { return box2(vec2(length(p.yz), p.x), vec2(r, h)); }
float cylZ(vec3 p, float r, float h) { return box2(vec2(length(p.xy), p.z), vec2(r, h)); }
float leg(vec3 p, float s, float st) {
  vec3 hip = vec3(1.55 * s, 5.7, .1), knee = vec3(2.05 * s, 4.0, 1.25 + .7 * st), hock = vec3(1.9 * s, 1.75, -.75 + 1.1 * st), foot = vec3(1.9 * s, .35 + .35 * max(st, 0.), .10 + 1.6 * st);
  float d = limb(p, hip, knee, .44, .52); d = min(d, limb(p, knee, hock, .36, .44)); d = min(d, limb(p, hock, foot, .27, .32));
  d = min(d, cylX(p - hip, .72, .42)); d = min(d, cylX(p - knee, .52, .48)); d = min(d, cylX(p - hock, .38, .42)); d = min(d, cylX(p - foot, .26, .34));
  d = min(d, cap(p, hip + vec3(.35 * s, -.2, -.55), hock + vec3(.2 * s, .9, .1), .10)); d = min(d, cap(p, knee + vec3(0., -.1, -.4), hock + vec3(0., .5, -.5), .09));
  vec3 q = p - foot; q.y += .22; d = min(d, box3(q, vec3(.62, .13, .5)) - .06);
  for (int i = -1; i <= 1; i++) { vec3 t = q - vec3(float(i) * .42, -.02, 0.); t.xz = rot(float(i) * .32) * t.xz; d = min(d, box3(t - vec3(0., 0., .85), vec3(.17, .12, .55)) - .04); }
  d = min(d, box3(q - vec3(0., 0., -.75), vec3(.2, .12, .4)) - .04); return d;
}
vec2 machine(vec3 p, float st) { // x: distance, y: 1 steel, 2 lit glass, 3 lamp
  vec3 B = p - vec3(0., 7.3, 0.); float bound = length((p - vec3(0., 5.6, 0.)) * vec3(1., .78, .9)) - 6.2; if (bound > 1.5) return vec2(bound, 1.);
  float d = min(leg(p, 1., st), leg(p, -1., -st));
  d = min(d, cylX(p - vec3(0., 5.7, .1), .55, 1.6)); d = min(d, box3(p - vec3(0., 6.05, 0.), vec3(.95, .45, 1.05)) - .08);
  // hull: a sloped wedge, cut and plated
  vec3 h = B; float hull = box3(h, vec3(1.55, .95, 2.15)); hull = max(hull, dot(h - vec3(0., .55, 2.1), normalize(vec3(0., .75, .62)))); hull = max(hull, dot(h - vec3(0., -.55, 1.75), normalize(vec3(0., -.8, .55))));
  hull = max(hull, dot(vec3(abs(h.x), h.yz) - vec3(1.3, .75, 0.), normalize(vec3(.8, .75, 0.)))); hull = max(hull, dot(h - vec3(0., .6, -2.0), normalize(vec3(0., .5, -.7))));
  vec3 g = abs(fract(h * vec3(.95, 1.1, .85) + .27) - .5); hull += .028 * smoothstep(.035, .0, min(g.y, g.z)); d = min(d, hull - .05);
  // brow over the cockpit, radiator stack, exhausts
  d = min(d, box3(h - vec3(0., .70, 1.55), vec3(1.05, .10, .75)) - .05); d = min(d, box3(h - vec3(0., 1.25, -.75), vec3(.80, .45, .95)) - .07);
  vec3 f = h - vec3(0., 1.75, -.75); f.z = mod(f.z + .1, .28) - .14; d = min(d, max(box3(f, vec3(.7, .20, .06)), abs(h.z + .75) - .9));
  vec3 e = vec3(abs(h.x) - .62, h.y - 1.6, h.z + 1.85); e.yz = rot(-.35) * e.yz; d = min(d, max(box2(vec2(length(e.xz), e.y), vec2(.22, .85)), -box2(vec2(length(e.xz), e.y - .6), vec2(.15, .4))));
  // shoulders: a launcher on the left, a long gun on the right
  d = min(d, cylX(h - vec3(0., .25, .0), .48, 2.3));
  vec3 m = h - vec3(-2.75, .55, .1); d = min(d, box3(m, vec3(.70, .72, 1.15)) - .06); vec2 t = fract(m.xy * 2.1 + .5) - .5; if (m.z > .9) d = max(d, -max(length(t) - .34, max(.95 - m.z, max(abs(m.x), abs(m.y)) - .62) * .5));
  vec3 w = h - vec3(2.55, .0, .3); d = min(d, box3(w, vec3(.48, .50, .95)) - .06); d = min(d, cylZ(w - vec3(0., -.05, 2.1), .17, 1.4)); d = min(d, cylZ(w - vec3(0., -.05, 3.3), .27, .28)); d = min(d, cylZ(w - vec3(0., .34, 1.2), .09, .7)); d = min(d, cap(w, vec3(0., .55, -.5), vec3(0., 1.25, -.9), .10));
  // aerials and a handrail
  d = min(d, cap(h, vec3(-.7, 1.6, -.4), vec3(-.95, 4.6, -.9), .030)); d = min(d, cap(h, vec3(.55, 1.6, -1.), vec3(.62, 3.5, -1.2), .026)); d = min(d, box3(h - vec3(.62, 3.4, -1.2), vec3(.30, .03, .03)));
  d = min(d, cap(h, vec3(1.25, 1.35, -1.6), vec3(1.25, 1.35, .6), .035)); d = min(d, cap(h, vec3(-1.25, 1.35, -1.6), vec3(-1.25, 1.35, .6), .035));
  vec2 r = vec2(d, 1.);
  // cockpit slits and lamps
  vec3 c = h - vec3(0., .28, 2.02); c.yz = rot(-.68) * c.yz; float gl = box3(vec3(abs(c.x) - .48, c.yz), vec3(.37, .13, .12)); gl = min(gl, box3(vec3(abs(h.x) - 1.52, h.y - .30, h.z - 1.15), vec3(.06, .13, .34))); if (gl < r.x) r = vec2(gl, 2.);
  float lp = length(vec3(abs(h.x) - .95, h.y + .48, h.z - 2.05)) - .15; lp = min(lp, length(h - vec3(-.95, 4.6, -.9)) - .08); lp = min(lp, length(m - vec3(0., .82, .9)) - .09); if (lp < r.x) r = vec2(lp, 3.);
  return r;
}
const float S = 2.62; // a machine's unit in metres
vec3 M1() { return vec3(1.5, 0., 60.); } vec3 M2() { return vec3(26., 0., 128.); } vec3 M3() { return vec3(-52., 0., 190.); }
bvec3 near; // which machines the current ray can meet at all
bool meets(vec3 ro, vec3 rd, vec3 c) { vec3 o = ro - c - vec3(0., 5.9 * S, 0.); float b = dot(o, rd); return b * b - dot(o, o) + 49. * S * S > 0.; }
vec3 toM(vec3 p, vec3 c, float yaw, float s) { vec3 q = p - c; q.xz = rot(yaw) * q.xz; return q / s; }
vec2 map(vec3 p) {
  vec2 a = vec2(1e3, 0.), b;
  if (near.x) { b = machine(toM(p, M1(), 2.62, S), .55); b.x *= S; if (b.x < a.x) a = b; }
  if (near.y) { b = machine(toM(p, M2(), 2.95, S), -.5); b.x *= S; if (b.x < a.x) a = b; }
  if (near.z) { b = machine(toM(p, M3(), 2.2, S), .35); b.x *= S; if (b.x < a.x) a = b; }
  return a;
}
vec3 nrm(vec3 p, float e) { vec2 k = vec2(1., -1.); return normalize(k.xyy * map(p + k.xyy * e).x + k.yyx * map(p + k.yyx * e).x + k.yxy * map(p + k.yxy * e).x + k.xxx * map(p + k.xxx * e).x); }
vec2 march(vec3 ro, vec3 rd) {
  near = bvec3(meets(ro, rd, M1()), meets(ro, rd, M2()), meets(ro, rd, M3())); if (!any(near)) return vec2(-1., 0.);
  float t = 40.; for (int i = 0; i < 150; i++) { vec2 h = map(ro + rd * t); if (h.x < .00045 * t) return vec2(t, h.y); t += h.x * .86; if (t > 240.) break; } return vec2(-1., 0.);
}
vec3 fogged(vec3 c, vec3 rd, float t, float y) {
  float f = 1. - exp(-t * .0056); f = max(f, (1. - exp(-t * .020)) * exp(-max(y, 0.) * .16) * .92);
  return mix(c, fogCol(normalize(vec3(rd.x, max(rd.y, .02), rd.z))), sat(f));
}
vec3 shadeM(vec3 ro, vec3 rd, vec2 h) {
  vec3 p = ro + rd * h.x; vec3 n = nrm(p, .012 + .0004 * h.x); vec3 sd = sunDir();
  if (h.y > 1.5) { vec3 c = h.y < 2.5 ? vec3(3.6, 1.55, .36) : vec3(5., 2.6, .9); return mix(c, fogCol(rd), (1. - exp(-h.x * .0040)) * .72); }
  float occ = 1.; for (int i = 1; i < 5; i++) { float q = .30 * float(i); occ -= .24 / float(i) * max(0., q - map(p + n * q).x) / q * 2.; } occ = sat(occ);
  float dif = sat(dot(n, sd)); float rim = pow(1. - sat(dot(n, -rd)), 3.); float wear = fbm3(p * 1.1, 4); float streak = fbm3(p * vec3(2.2, .35, 2.2) + 5., 3);
  vec3 alb = mix(vec3(.105, .120, .135), vec3(.175, .165, .150), smoothstep(.45, .75, wear)) * (.55 + .7 * streak); alb = mix(alb, vec3(.42, .49, .57), smoothstep(.62, .93, n.y + .35 * (wear - .5)) * .75);
  vec3 c = alb * mix(vec3(.10, .13, .18), vec3(.42, .58, .80), n.y * .5 + .5) * occ * .66 + alb * vec3(3.2, 1.55, .62) * dif * occ; float back = pow(glowTo(rd), 5.);
  vec3 r = reflect(rd, n); c += fogCol(normalize(vec3(r.x, abs(r.y), r.z))) * (.06 + .5 * rim) * occ * .75; c += vec3(1.7, .80, .28) * rim * back * (.15 + .85 * sat(dot(n, normalize(vec3(-.55, .35, .6))) + .2)) * .85;
  return fogged(c, rd, h.x * .85, p.y);
}
vec3 ice(vec3 ro, vec3 rd, float t) {
  vec3 p = ro + rd * t; float c = p.x - uView.w / uView.z * p.z * .55 - 5. * sin(p.z * .035 + .6); float v = 4.5 + p.z * .075; float riv = smoothstep(v, v * .78, abs(c) + 2.6 * (fbm2(p.xz * .13, 4) - .5));
  float dr = fbm2(p.xz * vec2(.10, .16) + 3., 6); vec3 snow = mix(vec3(.048, .078, .120), vec3(.135, .185, .250), smoothstep(.3, .72, dr));
  snow += vec3(1.2, .52, .18) * pow(glowTo(normalize(vec3(rd.x, .03, rd.z))), 60.) * smoothstep(.42, .72, dr) * .40;
  vec2 e = vec2(.22, 0.); vec2 q = p.xz * vec2(.55, .22); float n0 = fbm2(q, 5); vec3 n = normalize(vec3((n0 - fbm2(q + e.xy, 5)) * .22, 1., (n0 - fbm2(q + e.yx, 5)) * .22));
  vec3 r = reflect(rd, n); r.y = abs(r.y) + .01; r = normalize(r); float fr = .10 + .90 * pow(1. - sat(dot(n, -rd)), 4.); vec3 ic = mix(vec3(.020, .040, .062), sky(r) * .92, fr);
  float crack = smoothstep(.035, .0, abs(fbm2(p.xz * vec2(.30, .18) + 9., 4) - .5)) * .5 + smoothstep(.02, .0, abs(fbm2(p.xz * vec2(.75, .5) + 19., 3) - .45)) * .25; ic += vec3(.16, .21, .27) * crack * smoothstep(80., 15., t); ic = mix(ic, snow, smoothstep(.55, .72, fbm2(p.xz * vec2(.22, .09) + 41., 5)) * .75);
  // the machines stand in the mirror of the ice
  vec2 h = riv > .05 ? march(vec3(p.x, .02, p.z) - normalize(vec3(rd.x, -rd.y, rd.z)) * 39., normalize(vec3(rd.x + n.x * .5, -rd.y, rd.z))) : vec2(-1.); if (h.x > 39.) ic = mix(ic, shadeM(vec3(p.x, .02, p.z) - normalize(vec3(rd.x, -rd.y, rd.z)) * 39., normalize(vec3(rd.x + n.x * .5, -rd.y, rd.z)), h), .55 * riv);
  vec3 col = mix(snow, ic, riv); for (int k = 0; k < 2; k++) { vec3 m = k == 0 ? M1() : M2(); vec2 d = (p.xz - m.xz) * vec2(1., .5); col *= 1. - .42 * exp(-dot(d, d) / 30.); }
  float f = (1. - exp(-t * .0105)); return mix(col, fogCol(normalize(vec3(rd.x, .012, rd.z))), sat(f));
}
void main() {
  vec2 fc = gl_FragCoord.xy + uOff; vec2 uv = (fc + uJit - .5 * uRes) / uRes.y - uView.xy; float px = .6 / uRes.y / uView.z;
  vec3 ro = vec3(0., EYE, 0.); vec3 rd = normalize(vec3(uv, uView.z)); vec2 q = uv / uView.z;
  vec3 c = vec3(0.); float depth = 1e5; float tg = rd.y < -1e-4 ? -ro.y / rd.y : 1e5;
  if (tg > 500.) { c = sky(rd); vec4 m = range(q, rd, 3.7, .30, .20, .70); c = mix(c, m.rgb, m.a); m = range(q, rd, 11.3, .21, .17, .50); c = mix(c, m.rgb, m.a); }
  if (tg < 700.) { vec3 g = ice(ro, rd, tg); c = mix(c, g, smoothstep(700., 500., tg)); depth = tg * rd.z; }
  vec2 h = march(ro, rd); float mz = h.x > 0. ? h.x * rd.z : 1e6; if (mz > depth) mz = 1e6; bool put = mz > 9e5;
  for (int i = 0; i < 5; i++) {
    float z = i == 0 ? 330. : i == 1 ? 235. : i == 2 ? 165. : i == 3 ? 110. : 82.; if (!put && mz > z) { c = shadeM(ro, rd, h); put = true; depth = mz; }
    if (z < depth) { vec4 r = pineRow(uv, z, float(i) * 3.1 + 1., 11. + 1.5 * float(4 - i), rd, px); vec3 rc = fogged(r.rgb, rd, z * 1.12, EYE + q.y * z); c = mix(c, rc, r.a); if (r.a > .5) depth = z; }
    // a sheet of ground fog drifts before every row
    if (z < depth + 60.) { float y = EYE + q.y * z, x = q.x * z; float n = fbm2(vec2(x * .020 + float(i) * 7., y * .075 + float(i) * 3.), 5); float f = smoothstep(.30, .72, n) * exp(-max(y, 0.) * .085) * smoothstep(-14., 1., y) * .50; c = mix(c, fogCol(normalize(vec3(rd.x, .02, rd.z))) * 1.06, f); }
  }
  if (!put) { c = shadeM(ro, rd, h); float y = EYE + q.y * 60., x = q.x * 60.; float n = fbm2(vec2(x * .05 + 2., y * .12), 5); c = mix(c, fogCol(normalize(vec3(rd.x, .02, rd.z))), smoothstep(.25, .75, n) * exp(-max(y, 0.) * .30) * .75); }
  o = vec4(max(c, 0.), 1.);
}
