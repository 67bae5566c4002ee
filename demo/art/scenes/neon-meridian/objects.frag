// Volt cells: hexagonal batteries of glass and light; an armoured case, a reactor ring, a pass. Output: premultiplied RGBA, linear light.
#define MAXS 16
uniform float uN, uZoom, uAim, uCase, uRing, uPass; // uCase: 1 open, 2 closed
uniform vec4 uPos[MAXS], uShape[MAXS]; // centre and scale; hue, seed, -, -
uniform mat3 uRot[MAXS];
const vec3 CYA = vec3(.03, .66, 1.), MAG = vec3(1., .05, .52);
const float R = .43, H = .60;

float box2(vec2 p, vec2 b) { vec2 d = abs(p) - b; return length(max(d, 0.)) + min(max(d.x, d.y), 0.); }
float rbox(vec3 p, vec3 b, float r) { vec3 d = abs(p) - b + r; return length(max(d, 0.)) + min(max(d.x, max(d.y, d.z)), 0.) - r; }
float hex(vec2 p) { p = abs(p); return max(p.x * .8660254 + p.y * .5, p.y); } // flat-to-flat radius
float prism(vec3 q, float r, float h, float e) { vec2 d = vec2(hex(q.xz) - r, abs(q.y) - h) + e; return length(max(d, 0.)) + min(max(d.x, d.y), 0.) - e; }
vec2 opU(vec2 a, vec2 b) { return a.x < b.x ? a : b; }
vec3 glowOf(float hue) { return mix(CYA, MAG, smoothstep(.3, .7, hue)); }
// 1 glass, 2 dark metal, 3 light, 4 carbon, 5 glass card, 6 steel
vec2 cell(vec3 q) {
  vec2 d = vec2(prism(q, R, H, .03), 1.); vec3 c = vec3(q.x, abs(q.y) - H - .06, q.z);
  float cap = prism(c, R + .055, .115, .035); cap = max(cap, -(abs(hex(q.xz) - R * .62) - .02 + 50. * step(c.y, .08))); d = opU(d, vec2(cap, 2.));
  d = opU(d, vec2(prism(c + vec3(0., .135, 0.), R + .030, .020, .01), 3.));
  if (q.y > 0.) { d = opU(d, vec2(prism(c - vec3(0., .14, 0.), .20, .07, .02), 6.)); d = opU(d, vec2(prism(c - vec3(0., .125, 0.), .25, .016, .006), 3.)); }
  // four guard rods outside the glass
  vec2 a = abs(q.xz); float rod = length(a - vec2(R * 1.06, .0) * 1.02) - .030; rod = min(rod, length(a - vec2(R * .56, R * .97)) - .030); return opU(d, vec2(max(rod, abs(q.y) - H), 6.));
}
vec2 armour(vec3 p) { // the case
  p.y += .86; p.xz = rot(.30) * p.xz; vec3 h = vec3(1.42, .56, .92); float bd = rbox(p - vec3(0., .55, .35), h + vec3(.3, 1., 1.), .1); if (bd > .4) return vec2(bd, 4.);
  vec3 c = p; float cut = (abs(c.x) + abs(c.y) * .9 - 1.70) * .74; float body = max(rbox(p, h, .06), cut); vec2 d;
  float seam = abs(abs(p.x) - .78) - .020; 
  if (uCase < 1.5) {
    body = max(body, -rbox(p - vec3(0., .34, 0.), vec3(1.24, .78, .76), .05)); d = vec2(body, 4.);
    vec3 l = p - vec3(0., .56, .93); l.yz = rot(-.46) * l.yz; l.y -= .66; float lid = max(rbox(l, vec3(1.42, .66, .11), .05), (abs(l.x) + l.y * .8 - 1.72) * .76); d = opU(d, vec2(lid, 4.));
    d = opU(d, vec2(max(max(abs(box2(l.xy, vec2(1.06, .40))) - .022, abs(l.z + .10) - .025), -1.), 3.));
  } else {
    d = vec2(body, 4.); vec3 l = p - vec3(0., .78, 0.); float lid = max(rbox(l, vec3(1.44, .20, .94), .05), (abs(l.x) * .6 + l.y + abs(l.z) * .5 - .86)); d = opU(d, vec2(lid, 4.));
    d = opU(d, vec2(rbox(p - vec3(0., .575, 0.), vec3(1.36, .026, .88), .01), 3.)); d = opU(d, vec2(box2(vec2(length(p.xy - vec2(0., 1.06)) - .28, p.z), vec2(.035, .07)) - .02, 6.));
  }
  d = opU(d, vec2(max(seam, max(abs(p.y + .02) - .50, abs(abs(p.z) - .925) - .012)), 3.));
  vec3 k = p - vec3(0., .02, -.93); float pl = prism(k.xzy, .34, .045, .015); d = opU(d, vec2(pl, 6.)); d = opU(d, vec2(max(abs(hex(k.xy) - .25) - .022, abs(k.z) - .062), 3.));
  float tri = max(abs(k.x) * .866 + k.y * .5, -k.y) - .095; d = opU(d, vec2(max(abs(tri) - .018, abs(k.z) - .066), 3.));
  vec3 f = abs(p) - vec3(1.30, .44, .80); d = opU(d, vec2(rbox(f, vec3(.15, .15, .15), .04), 6.)); return d;
}
vec2 reactor(vec3 p) { // a six-sided ring of light
  p -= vec3(0., .34, 1.0); float r = hex(p.xy) * 1.14; float d = box2(vec2(r - 1.50, p.z), vec2(.085, .10)) - .02; float a = atan(p.y, p.x);
  d = max(d, -box2(vec2(fract(a * 18. / (2. * PI)) - .5, p.z + .12), vec2(.07, .03)) * .3); vec2 m = vec2(d, 6.);
  m = opU(m, vec2(box2(vec2(r - 1.50, p.z + .115), vec2(.026, .018)), 3.)); return opU(m, vec2(box2(vec2(r - 1.72, p.z), vec2(.014, .02)), 3.));
}
vec2 card(vec3 p) {
  p.y -= .02; p.xz = rot(.42) * p.xz; p.xy = rot(.16) * p.xy; vec3 h = vec3(.92, 1.26, .045); float cut = (p.x + p.y - 1.92) * .707; cut = max(cut, (-p.x - p.y - 1.92) * .707);
  float e = max(box2(p.xy, h.xy), cut); vec2 m = vec2(max(max(rbox(p, h, .03), cut), -1e3), 5.);
  m = opU(m, vec2(max(abs(e + .02) - .045, abs(p.z) - .075) - .008, 6.)); m = opU(m, vec2(max(abs(e + .105) - .010, abs(p.z) - .058), 3.));
  vec2 q = p.xy - vec2(0., .26); float tri = max(abs(q.x) * .866 + q.y * .5, -q.y) - .26; float mark = abs(tri) - .045; mark = min(mark, abs(max(abs(q.x) * .866 + q.y * .5, -q.y) - .09) - .025);
  m = opU(m, vec2(max(mark, abs(p.z) - .065), 3.));
  float bars = max(box2(p.xy - vec2(-.18, -.86), vec2(.46, .035)), abs(p.z) - .06); bars = min(bars, max(box2(p.xy - vec2(-.34, -.98), vec2(.30, .020)), abs(p.z) - .06)); m = opU(m, vec2(bars, 3.));
  vec3 k = p - vec3(.46, -.62, -.03); m = opU(m, vec2(rbox(k, vec3(.16, .12, .04), .02), 2.)); float chip = max(min(abs(fract(k.x * 9.) - .5) / 9. - .008, abs(k.y) - .008), box2(k.xy, vec2(.14, .10))); return opU(m, vec2(max(chip, abs(k.z) - .048), 3.));
}
int nearest = -1;
vec2 map(vec3 p) {
  vec2 d = vec2(1e3, 0.); nearest = -1;
  for (int i = 0; i < MAXS; i++) {
    if (float(i) >= uN) break; vec3 q = p - uPos[i].xyz; float s = uPos[i].w; float bd = length(q) - s * 1.05; if (bd > .25) { if (bd < d.x) { d = vec2(bd, 1.); nearest = i; } continue; }
    vec2 m = cell(uRot[i] * q / s); m.x *= s * .85; if (m.x < d.x) { d = m; nearest = i; }
  }
  vec2 x = vec2(1e3, 0.); if (uCase > .5) x = opU(x, armour(p)); if (uRing > .5) x = opU(x, reactor(p)); if (uPass > .5) x = opU(x, card(p));
  if (x.x < d.x) { nearest = -1; d = x; } return d;
}
const vec3 KEY = normalize(vec3(-.55, .80, -.50));
vec3 env(vec3 d) {
  vec3 c = mix(vec3(.016, .010, .030), vec3(.050, .065, .12), sat(d.y * .5 + .5));
  c += vec3(1.5, 1.8, 2.2) * smoothstep(.84, .91, dot(d, KEY)); c += vec3(.05, 1.0, 1.7) * smoothstep(.72, .95, dot(d, normalize(vec3(-.95, .05, .1))));
  c += vec3(1.9, .10, 1.0) * smoothstep(.72, .95, dot(d, normalize(vec3(.95, .10, -.15)))); c += vec3(.55, .12, .95) * smoothstep(.6, .98, dot(d, normalize(vec3(.1, -.6, .5))));
  return c + vec3(.6, .8, 1.1) * smoothstep(.90, 1., sin(d.y * 13. + d.x * 3.)) * smoothstep(-.2, .5, d.y) * .40;
}
vec3 plasma(vec3 q, float hue, float seed) { // the light in the glass
  float y = q.y / H; vec2 w = .10 * vec2(sin(q.y * 8. + seed * 9.), cos(q.y * 6.3 + seed * 5.)); vec2 v = .15 * vec2(sin(q.y * 11. + seed * 3. + 2.), cos(q.y * 9.1 + seed * 7.));
  float a = .0085 / (dot(q.xz - w, q.xz - w) + .0035) + .0042 / (dot(q.xz - v, q.xz - v) + .0016); float body = .20 * exp(-dot(q.xz, q.xz) * 7.);
  float end = smoothstep(.0, .22, 1. - abs(y)); float mist = .65 + .7 * n3(q * vec3(6., 4., 6.) + seed * 11.); vec3 g = glowOf(hue);
  return (g * (a + body * mist) + vec3(.55) * a * a * .05) * mix(.55, 1., end) + mix(g, vec3(.4, .3, 1.), .5) * .10;
}
vec3 glass(vec3 p, vec3 rd, vec3 n, int id) {
  mat3 M; vec4 P, S; for (int i = 0; i < MAXS; i++) if (i == id) { M = uRot[i]; P = uPos[i]; S = uShape[i]; }
  vec3 q = M * (p - P.xyz) / P.w, ln = M * n, d = refract(M * rd, ln, 1. / 1.25); float tf = 3.;
  for (int k = 0; k < 3; k++) { float a = float(k) * PI / 3.; vec3 f = k == 0 ? vec3(.8660254, 0., .5) : k == 1 ? vec3(0., 0., 1.) : vec3(.8660254, 0., -.5); float dn = dot(f, d); float t = ((dn > 0. ? R : -R) - dot(f, q)) / (abs(dn) < 1e-4 ? 1e-4 : dn); if (t > .001) tf = min(tf, t); }
  float ty = ((d.y > 0. ? H : -H) - q.y) / (abs(d.y) < 1e-4 ? 1e-4 : d.y); if (ty > .001) tf = min(tf, ty);
  vec3 acc = vec3(0.); float dt = tf / 18.; for (int i = 0; i < 18; i++) acc += plasma(q + d * dt * (float(i) + .5), S.x, S.y) * dt; acc *= 1.9;
  vec3 x = q + d * tf; vec2 ax = abs(x.xz); float e1 = R - ax.y, e2 = R - (ax.x * .8660254 + ax.y * .5); float back = exp(-max(max(e1, e2), 0.) * 30.) * step(min(e1, e2), .01);
  acc += glowOf(S.x) * back * .5 + vec3(.012, .016, .030);
  float ring = smoothstep(.03, .01, abs(abs(q.y) - .32)); acc *= 1. - .55 * ring; // printed bands on the glass
  float fr = .04 + .96 * pow(1. - sat(dot(n, -rd)), 5.); vec2 aq = abs(q.xz); float f1 = R - aq.y, f2 = R - (aq.x * .8660254 + aq.y * .5); float edge = exp(-max(max(f1, f2), 0.) * 26.) * step(min(f1, f2), .02);
  return acc * (1. - fr) + env(reflect(rd, n)) * (fr + .05) + (glowOf(S.x) * .55 + .35) * edge * .55 + vec3(.05) * ring;
}
void main() {
  vec2 uv = (gl_FragCoord.xy + uOff + uJit - .5 * uRes) / uRes.y;
  vec3 ro = vec3(0., 1.75, -6.2), ww = normalize(vec3(0., uAim, 0.) - ro), uu = normalize(cross(vec3(0, 1, 0), ww)), vv = cross(ww, uu); vec3 rd = normalize(uv.x * uu + uv.y * vv + uZoom * ww);
  float t = 3.2; vec2 h = vec2(1.); bool hit = false; float close = 1e3; vec3 halo = vec3(0.);
  for (int i = 0; i < 150; i++) {
    h = map(ro + rd * t); if (h.x < .0009) { hit = true; break; }
    if (nearest >= 0 && h.x < close) { close = h.x; for (int k = 0; k < MAXS; k++) if (k == nearest) halo = glowOf(uShape[k].x); } else if (nearest < 0 && h.x < close && h.y > 2.5 && h.y < 3.5) { close = h.x; halo = CYA; }
    t += h.x * .92; if (t > 10.5) break;
  }
  if (!hit) { float a = .42 * exp(-close * 11.); o = vec4(halo * 1.1 * a, a); return; }
  int id = nearest; float m = h.y; vec3 p = ro + rd * t; vec2 e = vec2(.0018, 0.); vec3 n = normalize(vec3(map(p + e.xyy).x - map(p - e.xyy).x, map(p + e.yxy).x - map(p - e.yxy).x, map(p + e.yyx).x - map(p - e.yyx).x));
  float ao = 1.; for (int i = 1; i < 5; i++) { float q = .08 * float(i); ao -= .34 / float(i) * max(0., q - map(p + n * q).x) / q; } ao = sat(ao);
  vec3 r = reflect(rd, n); float fr = pow(1. - sat(dot(n, -rd)), 5.); float dif = sat(dot(n, KEY)); vec3 col; float hue = p.x > 0. ? .8 : .1; for (int i = 0; i < MAXS; i++) if (i == id) hue = uShape[i].x;
  vec3 near = vec3(0.); for (int i = 0; i < MAXS; i++) { if (float(i) >= uN) break; vec3 q = uPos[i].xyz - p; float d2 = dot(q, q) + .06; near += glowOf(uShape[i].x) * (.35 + .65 * sat(dot(n, q) * inversesqrt(d2))) * uPos[i].w * uPos[i].w * .30 / d2; }
  if (m < 1.5) col = glass(p, rd, n, id);
  else if (m < 2.5) col = vec3(.055, .060, .085) * (.35 + 1.5 * dif + near) * ao + env(r) * (.22 + .6 * fr) * mix(.3, 1., ao);
  else if (m < 3.5) col = id >= 0 ? glowOf(hue) * 1.9 + .25 : mix(CYA, MAG, smoothstep(-.6, .6, p.x + p.y * .35)) * 1.9 + .18;
  else if (m < 4.5) { float w = step(.5, fract((p.x + p.y + p.z) * 7.)) * .35 + step(.5, fract((p.x - p.y + p.z) * 7.)) * .35; col = vec3(.028, .030, .050) * (.6 + w) * (.45 + 1.7 * dif + near * 2.2) * mix(.35, 1., ao) + env(r) * (.06 + .5 * fr) * mix(.3, 1., ao); }
  else if (m < 5.5) { vec2 g = abs(fract(p.xy * 6.) - .5); col = mix(vec3(.020, .050, .120), vec3(.15, .012, .110), smoothstep(-.9, .9, p.x - p.y * .5)) * (.8 + .5 * dif) + vec3(.03, .10, .16) * smoothstep(.46, .5, max(g.x, g.y)) * .6 + env(r) * (.09 + .8 * fr); }
  else col = vec3(.19, .20, .26) * (.22 + 1.1 * dif + near) * ao + env(r) * (.42 + .5 * fr) * mix(.35, 1., ao);
  col *= mix(vec3(.55, .50, .60), vec3(1.), smoothstep(-1.6, .0, p.y)); o = vec4(col, 1.);
}
