// E Point coins: raymarched, embossed gold. Output: premultiplied RGBA, linear light.
#define MAXC 32
uniform float uN, uZoom;
uniform vec4 uPos[MAXC]; uniform mat3 uRot[MAXC];
float box2(vec2 p, vec2 b) { vec2 d = abs(p) - b; return length(max(d, 0.)) + min(max(d.x, d.y), 0.); }
float glyphE(vec2 p) { // slanted, sharp-ended E
  p.x -= p.y * .08; float d = box2(p + vec2(.20, 0.), vec2(.085, .40));
  d = min(d, max(box2(p - vec2(.07, .335), vec2(.27, .072)), dot(p - vec2(.33, .335), normalize(vec2(1., .55)))));
  d = min(d, max(box2(p - vec2(.03, .0), vec2(.22, .066)), dot(p - vec2(.23, .0), normalize(vec2(1., -.55)))));
  d = min(d, max(box2(p - vec2(.07, -.335), vec2(.27, .072)), dot(p - vec2(.33, -.335), normalize(vec2(1., -.55)))));
  return d;
}
float emb(vec2 p) {
  float r = length(p), a = atan(p.y, p.x); float h = 0.;
  h += .055 * smoothstep(.86, .89, r);                       // rim
  h += .020 * smoothstep(.015, .0, abs(r - .76));            // inner ring
  float k = 40. / (2. * PI); vec2 b = vec2((fract(a * k) - .5) / k * r, r - .815); h += .022 * smoothstep(.030, .012, length(b)); // beads
  float g = glyphE(p * 1.02); h += .050 * smoothstep(.022, -.012, g);
  float st = cos(a * 8.) * .5 + .5; h += .012 * smoothstep(.5, .9, st) * smoothstep(.42, .5, r) * smoothstep(.72, .66, r) * smoothstep(.0, .08, g); // rays
  return h;
}
vec2 map(vec3 p) {
  float d = 1e3; float id = 0.;
  for (int i = 0; i < MAXC; i++) {
    if (float(i) >= uN) break; vec3 q = p - uPos[i].xyz; float s = uPos[i].w; float bd = length(q) - s * 1.05; if (bd > .3) { d = min(d, bd + .05); continue; }
    q = uRot[i] * q / s; float r = length(q.xz); float e = abs(q.y) < .25 && r < 1. ? emb(q.y > 0. ? q.xz : vec2(-q.x, q.z)) : 0.;
    float a = atan(q.z, q.x); float edge = r - (1. - .010 * smoothstep(.2, .8, sin(a * 90.) * .5 + .5));
    float dd = (length(max(vec2(edge + .02, abs(q.y) - .085 - e + .02), 0.)) - .02 + min(max(edge + .02, abs(q.y) - .085 - e + .02), 0.)) * s * .72;
    if (dd < d) { d = dd; id = float(i); }
  }
  return vec2(d, id);
}
vec3 env(vec3 d) {
  vec3 c = mix(vec3(.10, .055, .035), vec3(.34, .27, .30), sat(d.y * .5 + .5));
  c += vec3(2.1, 1.9, 1.65) * smoothstep(.70, .90, dot(d, normalize(vec3(-.5, .8, -.45))));
  c += vec3(1.5, 1.0, .7) * smoothstep(.6, .95, dot(d, normalize(vec3(.8, .2, -.5))));
  c += vec3(.35, .75, 1.25) * smoothstep(.55, .98, dot(d, normalize(vec3(-.9, -.1, .25))));
  c += vec3(1.9, .85, .35) * smoothstep(.6, .98, dot(d, normalize(vec3(.3, -.6, .6))));
  c *= .86 + .28 * smoothstep(.2, .8, sin(d.x * 7. + d.y * 5.) * .5 + .5); return c;
}
void main() {
  vec2 uv = (gl_FragCoord.xy + uOff + uJit - .5 * uRes) / uRes.y;
  vec3 ro = vec3(0., 1.5, -6.2), ww = normalize(vec3(0., -.04, 0.) - ro), uu = normalize(cross(vec3(0, 1, 0), ww)), vv = cross(ww, uu); vec3 rd = normalize(uv.x * uu + uv.y * vv + uZoom * ww);
  float t = 3.5; vec2 h = vec2(1.); bool hit = false;
  for (int i = 0; i < 140; i++) { h = map(ro + rd * t); if (h.x < .0009) { hit = true; break; } t += h.x; if (t > 10.) break; }
  if (!hit) { o = vec4(0.); return; }
  vec3 p = ro + rd * t; vec2 e = vec2(.0022, 0.); vec3 n = normalize(vec3(map(p + e.xyy).x - map(p - e.xyy).x, map(p + e.yxy).x - map(p - e.yxy).x, map(p + e.yyx).x - map(p - e.yyx).x));
  float ao = 1.; for (int i = 1; i < 5; i++) { float q = .07 * float(i); ao -= .32 / float(i) * max(0., q - map(p + n * q).x) / q; } ao = sat(ao);
  vec3 r = reflect(rd, n); float c = sat(dot(n, -rd)); vec3 F0 = vec3(1., .62, .19); vec3 F = F0 + (1. - F0) * pow(1. - c, 5.);
  vec3 sp = env(r) * .8 + env(normalize(r + .5 * n)) * .35; vec3 col = sp * F * mix(.35, 1., ao); col += F0 * .10 * ao; col *= mix(vec3(.55, .42, .40), vec3(1.), smoothstep(-1.2, .2, p.y));
  o = vec4(col, 1.);
}
