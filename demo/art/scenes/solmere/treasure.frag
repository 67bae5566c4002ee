// Solmere's chest and pass: dusk-violet enamel, gold, one crystal each. Output: premultiplied RGBA, linear light.
uniform float uZoom, uAim, uChest, uPass;

float box2(vec2 p, vec2 b) { vec2 d = abs(p) - b; return length(max(d, 0.)) + min(max(d.x, d.y), 0.); }
float rbox(vec3 p, vec3 b, float r) { vec3 d = abs(p) - b + r; return length(max(d, 0.)) + min(max(d.x, max(d.y, d.z)), 0.) - r; }
vec2 opU(vec2 a, vec2 b) { return a.x < b.x ? a : b; }
// 1 crystal, 2 gold, 3 light, 4 enamel
float crystal(vec3 q, float r, float l) {
  vec2 a = abs(q.xz); float h = max(a.x * .8660254 + a.y * .5, a.y); float n = r / l * 1.1; return max(max(h - r, (h + abs(q.y) * n * 1.9 - r * 2.3) / sqrt(1. + n * n * 3.6)), abs(q.y) - l) * .9;
}
float rays(vec2 p, float r0, float r1) { // a sun's rays as raised wedges
  float a = atan(p.y, p.x), r = length(p); float k = 12. / (2. * PI); float w = abs(fract(a * k) - .5) / k * r; float len = mod(floor(a * k), 2.) < .5 ? r1 : mix(r0, r1, .6);
  return max(w - .075 * sat((len - r) / (len - r0)), max(r0 - r, r - len));
}
vec2 chest(vec3 p) {
  p.y += .62; p.xz = rot(.30) * p.xz; vec3 h = vec3(1.36, .56, .88); vec2 d = vec2(rbox(p, h, .05), 4.);
  vec3 l = p - vec3(0., .62, 0.); float dome = max(max(length(l.zy * vec2(1., 1.12)) - .90, abs(l.x) - 1.38), -l.y); d = opU(d, vec2(dome - .02, 4.));
  float bandX = min(abs(abs(l.x) - 1.31) - .085, abs(abs(l.x) - .62) - .065); float hoop = max(max(length(l.zy * vec2(1., 1.12)) - .94, bandX), -l.y - .01); d = opU(d, vec2(hoop - .012, 2.));
  float body = max(max(rbox(p, h + .035, .05), bandX), -p.y - .60); d = opU(d, vec2(body, 2.));
  d = opU(d, vec2(rbox(l - vec3(0., .035, 0.), vec3(1.42, .060, .955), .03), 2.)); d = opU(d, vec2(rbox(p - vec3(0., .53, 0.), vec3(1.42, .050, .945), .03), 2.)); d = opU(d, vec2(rbox(p - vec3(0., -.53, 0.), vec3(1.42, .060, .94), .03), 2.));
  d = opU(d, vec2(rbox(p - vec3(0., .595, 0.), vec3(1.38, .030, .90), .005), 3.));
  float st = 1e3; for (int i = 0; i < 2; i++) { float x = i == 0 ? 1.31 : .62; for (int k = 0; k < 3; k++) st = min(st, length(vec3(abs(p.x) - x, p.y + .30 - float(k) * .28, p.z + .93)) - .045); } d = opU(d, vec2(st, 2.));
  vec3 k = p - vec3(0., .46, -.96); float disc = box2(vec2(length(k.xy), k.z), vec2(.33, .05)) - .02; disc += .02 * smoothstep(.012, -.01, abs(length(k.xy) - .27) - .014); d = opU(d, vec2(disc, 2.));
  d = opU(d, vec2(max(rays(k.xy, .34, .52), abs(k.z) - .035) * .8, 2.)); vec3 c = k + vec3(0., 0., .07); return opU(d, vec2(crystal(c * vec3(1., 1., .7), .15, .25), 1.));
}
float window_(vec2 p) { return p.y > .35 ? length(p - vec2(0., .35)) - .80 : box2(p + vec2(0., .42), vec2(.80, .77)); }
vec2 pass(vec3 p) {
  p.y -= .06; p.xz = rot(.34) * p.xz; p.xy = rot(.10) * p.xy; float e = window_(p.xy); vec2 d = vec2(max(e, abs(p.z) - .07) * .9, 4.);
  d = opU(d, vec2(max(abs(e) - .075, abs(p.z) - .12) - .015, 2.)); d = opU(d, vec2(max(abs(e + .16) - .012, abs(p.z) - .085), 2.));
  float bead = 1e3; vec2 q = p.xy - vec2(0., .35); if (q.y > 0.) { float k = 26. / (2. * PI); float a = atan(q.y, q.x); bead = length(vec3((fract(a * k) - .5) / k * .80, length(q) - .80, p.z + .13)) - .040; } d = opU(d, vec2(bead, 2.));
  vec2 s = p.xy - vec2(0., -.28); float sun = length(s) - .34; float above = -s.y - .03; d = opU(d, vec2(max(max(sun, above), abs(p.z) - .10), 3.)); d = opU(d, vec2(max(max(rays(s, .40, .66), above), abs(p.z) - .10) * .8, 2.));
  for (int i = 0; i < 4; i++) { float y = -.38 - .155 * float(i); float w = abs(p.y - y - .030 * sin(p.x * 10. + float(i) * 1.7)) - .024; d = opU(d, vec2(max(max(w, e + .17), abs(p.z) - .095) * .8, 2.)); }
  float ring = length(vec2(length(p.xy - vec2(0., .42)) - .40, p.z + .07)) - .030; ring = max(ring, -(p.y - .16) - .6); d = opU(d, vec2(ring, 2.));
  vec3 c = p - vec3(0., .42, -.12); d = opU(d, vec2(crystal(c, .17, .42), 1.)); return opU(d, vec2(length(vec2(length(p.xy - vec2(0., 1.30)) - .12, p.z)) - .040, 2.));
}
vec2 map(vec3 p) { vec2 d = vec2(1e3, 0.); if (uChest > .5) d = opU(d, chest(p)); if (uPass > .5) d = opU(d, pass(p)); return d; }
const vec3 KEY = normalize(vec3(-.55, .78, -.5));
vec3 env(vec3 d) {
  vec3 c = mix(vec3(.060, .030, .050), vec3(.16, .16, .30), sat(d.y * .5 + .5)); c += vec3(1.9, 2.0, 2.2) * smoothstep(.78, .91, dot(d, KEY));
  c += vec3(2.0, 1.05, .5) * smoothstep(.70, .95, dot(d, normalize(vec3(.85, .25, -.35)))); c += vec3(.30, 1.1, 1.8) * smoothstep(.72, .98, dot(d, normalize(vec3(-.9, .05, .2)))); c += vec3(1.8, .7, .4) * smoothstep(.6, .98, dot(d, normalize(vec3(.2, -.6, .5))));
  return c * (.86 + .28 * smoothstep(.2, .8, sin(d.x * 7. + d.y * 5.) * .5 + .5));
}
void main() {
  vec2 uv = (gl_FragCoord.xy + uOff + uJit - .5 * uRes) / uRes.y;
  vec3 ro = vec3(0., 1.5, -6.2), ww = normalize(vec3(0., uAim, 0.) - ro), uu = normalize(cross(vec3(0, 1, 0), ww)), vv = cross(ww, uu); vec3 rd = normalize(uv.x * uu + uv.y * vv + uZoom * ww);
  float t = 3.2; vec2 h = vec2(1.); bool hit = false; for (int i = 0; i < 150; i++) { h = map(ro + rd * t); if (h.x < .0009) { hit = true; break; } t += h.x * .9; if (t > 10.) break; }
  if (!hit) { o = vec4(0.); return; }
  float m = h.y; vec3 p = ro + rd * t; vec2 e = vec2(.0018, 0.); vec3 n = normalize(vec3(map(p + e.xyy).x - map(p - e.xyy).x, map(p + e.yxy).x - map(p - e.yxy).x, map(p + e.yyx).x - map(p - e.yyx).x));
  float ao = 1.; for (int i = 1; i < 5; i++) { float q = .07 * float(i); ao -= .33 / float(i) * max(0., q - map(p + n * q).x) / q; } ao = sat(ao);
  vec3 r = reflect(rd, n); float c = sat(dot(n, -rd)), fr = pow(1. - c, 5.), dif = sat(dot(n, KEY)); vec3 col;
  if (m < 1.5) { vec3 x = refract(rd, n, 1. / 1.6); vec3 g = mix(vec3(.03, .42, .95), vec3(.55, .92, 1.25), sat(.5 + .5 * dot(x, normalize(vec3(.3, .8, -.2))) * 1.6)); g = mix(g, vec3(.62, .18, 1.), smoothstep(.1, .7, n.x) * .55); col = g * (.45 + .9 * dif) + env(r) * (.10 + .9 * fr) + env(x) * g * .35; }
  else if (m < 2.5) { vec3 F = vec3(1., .66, .24) + vec3(0., .34, .76) * fr; col = (env(r) * .80 + env(normalize(r + .5 * n)) * .35 + .12 + .45 * dif) * F * mix(.35, 1., ao); }
  else if (m < 3.5) col = uPass > .5 ? mix(vec3(1.5, .42, .16), vec3(1.9, 1.25, .55), smoothstep(-.4, .2, p.y)) : vec3(.35, 1.5, 2.2);
  else { vec3 b = uPass > .5 ? mix(vec3(.42, .10, .10), vec3(.070, .025, .22), smoothstep(-.7, .5, p.y)) : mix(vec3(.060, .020, .15), vec3(.13, .030, .20), smoothstep(-.8, .6, p.y + .3 * p.x)); b *= .8 + .5 * fbm3(p * 2.4, 4); col = b * (.50 + 1.5 * dif + .5 * sat(n.y)) * mix(.4, 1., ao) + env(r) * (.07 + .6 * fr) * mix(.3, 1., ao); }
  col *= mix(vec3(.55, .45, .52), vec3(1.), smoothstep(-1.5, .1, p.y)); o = vec4(col, 1.);
}
