// Seals of carved jade with red tassels; lacquer boxes, a gilt moon gate, a pass. Output: premultiplied RGBA, linear light.
#define MAXS 16
uniform float uN, uZoom, uAim, uBox, uGate, uPass; // uBox: 1 open box, 2 closed chest
uniform vec4 uPos[MAXS], uShape[MAXS]; // centre and scale; tassel, hue, seed, -
uniform mat3 uRot[MAXS];

float box2(vec2 p, vec2 b) { vec2 d = abs(p) - b; return length(max(d, 0.)) + min(max(d.x, d.y), 0.); }
float rbox(vec3 p, vec3 b, float r) { vec3 d = abs(p) - b + r; return length(max(d, 0.)) + min(max(d.x, max(d.y, d.z)), 0.) - r; }
float smin(float a, float b, float k) { float h = max(k - abs(a - b), 0.) / k; return min(a, b) - h * h * k * .25; }
float rod(vec3 p, vec3 a, vec3 b, float r) { vec3 q = p - a, d = b - a; return length(q - d * sat(dot(q, d) / dot(d, d))) - r; }
vec2 opU(vec2 a, vec2 b) { return a.x < b.x ? a : b; }
// 1 jade, 2 gold, 3 silk, 4 lacquer, 5 glowing silk, 6 dark lining
float glyph(vec2 p) { // lines in the manner of seal script
  float d = abs(box2(p, vec2(.395))) - .017;
  float in_ = abs(box2(p, vec2(.265, .275))) - .024; in_ = max(in_, -box2(p - vec2(.0, -.28), vec2(.12, .06))); d = min(d, in_);
  d = min(d, box2(p - vec2(0., .03), vec2(.024, .245))); d = min(d, box2(p - vec2(0., .09), vec2(.15, .022)));
  d = min(d, box2(p - vec2(-.10, -.10), vec2(.06, .020))); d = min(d, box2(p - vec2(.10, -.10), vec2(.06, .020)));
  d = min(d, box2(p - vec2(-.145, -.02), vec2(.020, .10))); return min(d, box2(p - vec2(.145, -.02), vec2(.020, .10)));
}
vec2 faceUv(vec3 q) { return abs(q.x) > abs(q.z) ? vec2(q.z * sign(q.x), q.y + .05) : vec2(-q.x * sign(q.z), q.y + .05); }
vec2 tassel(vec3 q, vec3 at, float len) { // hangs down from `at`
  vec3 t = q - at; vec2 d = vec2(length(t) - .085, 2.); float y = -t.y; float a = atan(t.z, t.x);
  float r = mix(.060, .125, smoothstep(.05, len, y)) * (1. + .10 * sin(a * 15.) * smoothstep(.1, .3, y));
  d = opU(d, vec2(max(length(t.xz) - r, abs(y - len * .5 - .06) - len * .5) * .7, 3.));
  return opU(d, vec2(box2(vec2(length(t.xz) - .07, t.y + .15), vec2(.018, .022)) - .01, 2.));
}
vec2 seal(vec3 q, float tas) {
  vec3 b = q + vec3(0., .05, 0.); float d = rbox(b, vec3(.50, .56, .50), .075);
  if (d < .1) d += .026 * smoothstep(.020, -.004, glyph(faceUv(q))) * step(abs(b.y), .47);
  d = min(d, rbox(q - vec3(0., .56, 0.), vec3(.405, .075, .405), .04));
  vec2 k = q.xy - vec2(0., .70); float a = atan(k.y, k.x);
  float knob = length(vec2(length(k) - .245, q.z * .78)) - .118 - .010 * sin(a * 14.) * smoothstep(.02, .12, abs(q.z));
  d = smin(d, knob, .10); vec2 m = vec2(d, 1.);
  if (tas > .5) {
    float c = min(rod(q, vec3(.02, .72, -.02), vec3(.20, .74, -.40), .040), rod(q, vec3(.20, .74, -.40), vec3(.29, .58, -.60), .040));
    c = min(c, rod(q, vec3(.29, .58, -.60), vec3(.30, .34, -.64), .040)); c = min(c, length(vec2(length(q.yz - vec2(.98, 0.)) - .14, q.x)) - .038);
    m = opU(m, vec2(c * .9, 3.)); m = opU(m, tassel(q, vec3(.30, .30, -.645), .62));
  }
  return m;
}
float frame(vec3 p, vec3 b, float e) { // the twelve edges of a box
  p = abs(p) - b; vec3 q = abs(p + e) - e;
  return min(min(length(max(vec3(p.x, q.y, q.z), 0.)) + min(max(p.x, max(q.y, q.z)), 0.), length(max(vec3(q.x, p.y, q.z), 0.)) + min(max(q.x, max(p.y, q.z)), 0.)), length(max(vec3(q.x, q.y, p.z), 0.)) + min(max(q.x, max(q.y, p.z)), 0.));
}
vec2 lacquerBox(vec3 p) {
  p.y += .92; p.xz = rot(.26) * p.xz; vec3 h = vec3(1.42, .58, .92);
  float bd = rbox(p - vec3(0., .5, .3), h + vec3(.3, 1., .9), .1); if (bd > .4) return vec2(bd, 4.);
  float body = rbox(p, h, .05); vec2 d;
  if (uBox < 1.5) {
    body = max(body, -rbox(p - vec3(0., .3, 0.), vec3(1.28, .75, .78), .04)); d = vec2(body, 4.);
    vec3 l = p - vec3(0., .58, .92); l.yz = rot(-.42) * l.yz; l.y -= .62; d = opU(d, vec2(rbox(l, vec3(1.42, .62, .07), .04), 4.)); d = opU(d, vec2(frame(l, vec3(1.44, .64, .085), .045) - .012, 2.));
  } else {
    d = vec2(body, 4.); vec3 l = p - vec3(0., .62, 0.); vec2 q = abs(l.xz); vec2 in2 = vec2(1.62, 1.12) - q; float e = min(in2.x, in2.y); float s = clamp(e / 1.12, -.1, 1.);
    vec2 cn = q / vec2(1.62, 1.12); float c = cn.x * cn.y; float along = in2.x < in2.y ? q.y : q.x;
    float hh = .92 * (.4 * s + .6 * s * s) + .30 * c * c * c * c + .035 * (1. - pow(abs(fract(along / .17) - .5) * 2., 2.)) + .07 * smoothstep(.10, .03, abs(in2.x - in2.y) * .7);
    float roof = max(max(l.y - hh, hh - .12 - l.y) * .6, max(-in2.x, -in2.y)); d = opU(d, vec2(roof, 2.2));
    d = opU(d, vec2(rbox(l - vec3(0., .96, 0.), vec3(.56, .09, .07), .03), 2.)); d = opU(d, vec2(length(l - vec3(0., 1.14, 0.)) - .13, 1.));
  }
  d = opU(d, vec2(frame(p, h + .02, .055) - .012, 2.));
  vec3 k = p - vec3(0., uBox > 1.5 ? .12 : .10, -.95); float disc = box2(vec2(length(k.xy), k.z), vec2(.27, .035)) - .015; disc += .016 * smoothstep(.01, -.01, abs(length(k.xy) - .20) - .015); d = opU(d, vec2(disc, 2.));
  d = opU(d, vec2(max(box2(vec2(length(k.xy), k.z + .03), vec2(.12, .04)), -box2(k.xy, vec2(.035, .035))), 1.));
  vec3 f = vec3(abs(p.x) - 1.22, p.y + .66, abs(p.z) - .74); return opU(d, vec2(rbox(f, vec3(.17, .10, .15), .05), 2.));
}
vec2 gate(vec3 p) { // a round gate of gilt wood with two lanterns
  p -= vec3(0., .22, .95); float r = length(p.xy), a = atan(p.y, p.x); float R = 1.60;
  float d = box2(vec2(r - R, p.z), vec2(.075, .06)) - .02; d = min(d, box2(vec2(r - R - .14, p.z), vec2(.014, .03)) - .008); d = min(d, box2(vec2(r - R + .135, p.z), vec2(.012, .03)) - .008);
  float k = 36. / (2. * PI); vec2 c = vec2((fract(a * k) - .5) / k * r, r - R); d += .022 * smoothstep(.012, -.01, abs(length(c) - .042) - .010);
  vec2 m = vec2(d, 2.); vec3 q = vec3(abs(p.x) - 1.42, p.y - .62 + (p.x > 0. ? .12 : 0.), p.z + .28);
  m = opU(m, vec2((length(q * vec3(1., 1.18, 1.)) - .27) * .8, 5.)); m = opU(m, vec2(box2(vec2(length(q.xz), abs(q.y) - .235), vec2(.12, .03)) - .01, 2.)); m = opU(m, vec2(rod(q, vec3(0., .2, 0.), vec3(0., .50, .2), .014), 2.));
  return opU(m, tassel(q, vec3(0., -.26, 0.), .34));
}
float lanternMark(vec2 p) { float d = (length(p * vec2(1., 1.2)) - .36) * .8; d = max(d, -(abs(abs(p.x) - .14 * (1. - p.y * p.y * 4.)) - .012)); d = min(d, box2(vec2(p.x, abs(p.y) - .345), vec2(.15, .03))); return min(d, box2(p - vec2(0., -.50), vec2(.022, .12))); }
vec2 plaque(vec3 p) {
  p.y -= .30; p.xz = rot(.30) * p.xz; p.xy = rot(.10) * p.xy; vec3 h = vec3(.72, .98, .10);
  float cut = box2(abs(p.xy) - h.xy, vec2(.16)); float d = max(rbox(p, h, .05), -cut); // stepped corners
  float e = max(box2(p.xy, h.xy), -cut); vec2 m = vec2(d + .022 * smoothstep(-.09, -.11, e), 4.);
  float rim = max(max(d - .018, abs(p.z) - .125), -.0 - (e + .085)); m = opU(m, vec2(rim, 2.));
  float g = lanternMark((p.xy - vec2(0., .02)) * .86) / .86; m = opU(m, vec2(max(g, abs(p.z) - .118) * .8, 2.));
  float ln = abs(abs(box2(p.xy, vec2(.52, .76))) - .012) - .006; m = opU(m, vec2(max(ln, abs(p.z) - .095), 2.));
  m = opU(m, vec2(length(vec2(length(p.xy - vec2(0., 1.02)) - .13, p.z)) - .040, 2.));
  m = opU(m, vec2(min(rod(p, vec3(0., 1.12, 0.), vec3(-.24, 1.52, .1), .036), min(rod(p, vec3(0., 1.12, 0.), vec3(.24, 1.52, .1), .036), rod(p, vec3(-.24, 1.52, .1), vec3(.24, 1.52, .1), .036))), 3.));
  m = opU(m, vec2(length(p - vec3(0., -1.12, 0.)) - .13, 1.)); m = opU(m, vec2(rod(p, vec3(0., -.95, 0.), vec3(0., -1.3, 0.), .03), 3.));
  return opU(m, tassel(p, vec3(0., -1.32, 0.), .58));
}
vec2 map(vec3 p) {
  vec2 d = vec2(1e3, 0.);
  for (int i = 0; i < MAXS; i++) {
    if (float(i) >= uN) break; vec3 q = p - uPos[i].xyz; float s = uPos[i].w; float bd = length(q) - s * 1.25; if (bd > .25) { d = opU(d, vec2(bd, 1.)); continue; }
    vec2 m = seal(uRot[i] * q / s, uShape[i].x); m.x *= s * .85; m.y += uShape[i].y * .3 * step(m.y, 1.05); d = opU(d, m);
  }
  if (uBox > .5) d = opU(d, lacquerBox(p)); if (uGate > .5) d = opU(d, gate(p)); if (uPass > .5) d = opU(d, plaque(p));
  return d;
}
const vec3 KEY = normalize(vec3(-.55, .80, -.55));
vec3 env(vec3 d) {
  vec3 c = mix(vec3(.045, .018, .020), vec3(.10, .13, .20), sat(d.y * .5 + .5));
  c += vec3(1.9, 2.0, 2.0) * smoothstep(.80, .90, dot(d, KEY));
  vec3 k2 = normalize(vec3(.9, .25, -.25)); c += vec3(2.3, .80, .28) * smoothstep(.74, .93, dot(d, k2));
  c += vec3(.25, .75, .95) * smoothstep(.70, .98, dot(d, normalize(vec3(-.95, .0, .2))));
  c += vec3(1.6, .45, .15) * smoothstep(.6, .98, dot(d, normalize(vec3(.2, -.6, .5))));
  return c + vec3(.8, .85, .9) * smoothstep(.90, 1., sin(d.y * 11. + d.x * 2.)) * smoothstep(-.1, .5, d.y) * .30;
}
void main() {
  vec2 uv = (gl_FragCoord.xy + uOff + uJit - .5 * uRes) / uRes.y;
  vec3 ro = vec3(0., 1.75, -6.2), ww = normalize(vec3(0., uAim, 0.) - ro), uu = normalize(cross(vec3(0, 1, 0), ww)), vv = cross(ww, uu); vec3 rd = normalize(uv.x * uu + uv.y * vv + uZoom * ww);
  float t = 3.2; vec2 h = vec2(1.); bool hit = false;
  for (int i = 0; i < 150; i++) { h = map(ro + rd * t); if (h.x < .0009) { hit = true; break; } t += h.x * .92; if (t > 10.5) break; }
  if (!hit) { o = vec4(0.); return; }
  float m = h.y; vec3 p = ro + rd * t; vec2 e = vec2(.0018, 0.); vec3 n = normalize(vec3(map(p + e.xyy).x - map(p - e.xyy).x, map(p + e.yxy).x - map(p - e.yxy).x, map(p + e.yyx).x - map(p - e.yyx).x));
  float ao = 1.; for (int i = 1; i < 5; i++) { float q = .08 * float(i); ao -= .34 / float(i) * max(0., q - map(p + n * q).x) / q; } ao = sat(ao);
  float sh = 1.; { float s = .05; for (int i = 0; i < 16; i++) { float d = map(p + KEY * s).x; sh = min(sh, 9. * d / s); s += clamp(d, .04, .16); if (sh < .02 || s > 2.2) break; } sh = sat(sh); }
  vec3 r = reflect(rd, n); float c = sat(dot(n, -rd)); float fr = pow(1. - c, 5.); float dif = sat(dot(n, KEY)) * sh; vec3 col;
  vec3 fill = mix(vec3(.16, .05, .05), vec3(.17, .22, .30), n.y * .5 + .5) + vec3(.55, .17, .06) * sat(dot(n, normalize(vec3(.9, .1, -.3)))) ;
  if (m < 1.45) { // jade: light wanders inside
    float hue = (m - 1.) / .3; vec3 w = p * 2.1 + hue * 5.; float v = fbm3(w + 1.6 * fbm3(w * 1.3, 3), 5);
    vec3 b = mix(mix(vec3(.022, .27, .150), vec3(.060, .36, .130), hue), vec3(.17, .53, .33), smoothstep(.36, .66, v)); b = mix(b, vec3(.50, .76, .58), smoothstep(.62, .78, v) * .55);
    float thin = sat(map(p + normalize(vec3(.75, .5, .55)) * .42).x / .42 + .25);
    col = b * (.62 * sat((dot(n, KEY) + .45) / 1.45) * mix(.45, 1., sh) * 1.9 + fill * .9) * mix(.5, 1., ao) + b * vec3(.75, 1., .62) * thin * .62;
    col += env(r) * (.045 + .65 * fr) * mix(.35, 1., ao);
    for (int i = 0; i < MAXS; i++) { if (float(i) >= uN) break; vec3 q = uRot[i] * (p - uPos[i].xyz) / uPos[i].w; if (abs(q.x) < .56 && abs(q.z) < .56 && q.y > -.66 && q.y < .5) { float g = glyph(faceUv(q)); if (abs((uRot[i] * n).y) < .6 && abs(q.y + .05) < .46) col = mix(col, vec3(1.05, .62, .19) * (.20 + .45 * fill + .65 * dif + .45 * env(r)) * mix(.5, 1., ao), smoothstep(.022, .004, g)); if (q.y < -.53) col = mix(col, vec3(.62, .045, .02) * (.35 + dif) * mix(.4, 1., ao), smoothstep(-.535, -.55, q.y)); } }
  } else if (m < 2.1) { vec3 F = vec3(1., .66, .24) + vec3(0., .34, .76) * fr; col = (env(r) * .80 + env(normalize(r + .5 * n)) * .35 + .16 + .75 * dif * (.6 + .4 * n2(p.xy * 3.)) + .5 * fill) * F * mix(.35, 1., ao); }
  else if (m < 2.5) { vec3 F = vec3(.030, .19, .15); col = F * (fill + dif * 1.5 + .15) * ao + env(r) * (.16 + .6 * fr) * mix(.3, 1., ao); }
  else if (m < 3.5) { float st = .75 + .5 * n2(vec2(atan(n.z, n.x) * 9., p.y * 2.)); col = vec3(.74, .040, .022) * (fill * 1.3 + dif * 1.25 + .10) * st * mix(.45, 1., ao) + vec3(1., .30, .16) * pow(1. - c, 3.) * .32; }
  else if (m < 4.5) { col = vec3(.34, .014, .014) * (fill * 1.2 + dif * 1.2 + .25 * smoothstep(.5, .62, fbm3(p * 1.4, 4))) * mix(.4, 1., ao) + env(r) * (.05 + .55 * fr) * mix(.3, 1., ao);
    if (uBox > .5) { // gold lines painted on the lacquer, a meander in each corner
      vec3 q = p; q.y += .92; q.xz = rot(.26) * q.xz; vec2 f = abs(q.x) > 1.36 ? vec2(q.z * 1.54, q.y) : q.xy; vec2 k = abs(f) - vec2(1.06, .27);
      float ln = min(abs(box2(f, vec2(1.22, .42))) - .011, min(abs(box2(k, vec2(.10))) - .010, abs(box2(k, vec2(.045))) - .009)); ln = min(ln, max(abs(abs(f.y) - .27) - .007, abs(f.x) - .92));
      if (abs(q.y) < .56) col = mix(col, vec3(1., .58, .18) * (.18 + .55 * fill + .6 * dif + .35 * env(r)) * mix(.5, 1., ao), smoothstep(.008, -.004, ln));
    } }
  else if (m < 5.5) { float f = pow(c, 1.5); float rib = .75 + .25 * cos(atan(n.z, n.x) * 18.); col = mix(vec3(.45, .012, .006), vec3(1.35, .115, .018), f) * rib; }
  else col = vec3(.02);
  col *= mix(vec3(.55, .42, .45), vec3(1.), smoothstep(-1.6, .0, p.y)); o = vec4(col, 1.);
}
