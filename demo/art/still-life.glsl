// ---- the studio: instances, tracing, light from the top left with one cool and one warm rim
#define ROOM 24
uniform float uN, uZoom; uniform vec4 uPos[ROOM], uShape[ROOM]; uniform mat3 uRot[ROOM];
float box2(vec2 p, vec2 b) { vec2 d = abs(p) - b; return length(max(d, 0.)) + min(max(d.x, d.y), 0.); }
float box3(vec3 p, vec3 b) { vec3 d = abs(p) - b; return length(max(d, 0.)) + min(max(d.x, max(d.y, d.z)), 0.); }
float cyl(vec3 p, float r, float h, float round_) { return box2(vec2(length(p.xz), p.y), vec2(r, h) - round_) - round_; }
float cap(vec3 p, vec3 a, vec3 b, float r) { vec3 pa = p - a, ba = b - a; return length(pa - ba * sat(dot(pa, ba) / dot(ba, ba))) - r; }
float smin(float a, float b, float k) { float h = sat(.5 + .5 * (b - a) / k); return mix(b, a, h) - k * h * (1. - h); }
float ell(vec3 p, vec3 r) { float k = length(p / r); return k * (k - 1.) / length(p / (r * r)); }
vec2 opU(vec2 a, vec2 b) { return a.x < b.x ? a : b; }
vec2 turnsAbout(vec2 p, float n) { float k = n / (2. * PI); float a = atan(p.y, p.x); float f = (fract(a * k) - .5) / k; return vec2(cos(f), sin(f)) * length(p); }
struct Stuff { vec3 color; float metal; float rough; vec3 light; float alpha; float wrap; };
vec2 item(vec3 p, vec4 shape);                                        // distance and material, in the object's own space
Stuff stuffOf(vec3 p, vec3 n, vec3 rd, float material, vec4 shape);   // what the surface is made of
vec3 env(vec3 d, float blur);
int near = -1; // one bit per object that the current ray can meet
int meeting(vec3 ro, vec3 rd) { int bits = 0; for (int i = 0; i < ROOM; i++) { if (float(i) >= uN) break; vec3 o = ro - uPos[i].xyz; float b = dot(o, rd), r = uPos[i].w * uShape[i].w; if (b * b - dot(o, o) + r * r > 0.) bits |= 1 << i; } return bits; }
vec3 map(vec3 p) { // distance, material, instance
  vec3 r = vec3(1e3, 0., 0.);
  for (int i = 0; i < ROOM; i++) { if (float(i) >= uN) break; if ((near >> i & 1) == 0) continue; vec3 q = p - uPos[i].xyz; float s = uPos[i].w; float b = length(q) - s * uShape[i].w; if (b > .25) { if (b + .04 < r.x) r = vec3(b + .04, 0., float(i)); continue; } vec2 d = item(uRot[i] * q / s, uShape[i]); if (d.x * s < r.x) r = vec3(d.x * s, d.y, float(i)); }
  return r;
}
void main() {
  vec2 uv = (gl_FragCoord.xy + uOff + uJit - .5 * uRes) / uRes.y; vec3 ro = vec3(0., 1.5, -6.2), ww = normalize(vec3(0., -.04, 0.) - ro), uu = normalize(cross(vec3(0., 1., 0.), ww)), vv = cross(ww, uu); vec3 rd = normalize(uv.x * uu + uv.y * vv + uZoom * ww);
  near = meeting(ro, rd); if (near == 0) { o = vec4(0.); return; } float t = 3.2; vec3 h = vec3(1.); bool hit = false; for (int i = 0; i < 120; i++) { h = map(ro + rd * t); if (h.x < .0009) { hit = true; break; } t += h.x * .85; if (t > 10.5) break; } if (!hit) { o = vec4(0.); return; }
  vec3 p = ro + rd * t; vec2 e = vec2(1., -1.) * .0022; vec3 n = normalize(e.xyy * map(p + e.xyy).x + e.yyx * map(p + e.yyx).x + e.yxy * map(p + e.yxy).x + e.xxx * map(p + e.xxx).x);
  near = -1; float ao = 1.; for (int i = 1; i < 4; i++) { float q = .09 * float(i); ao -= .32 / float(i) * max(0., q - map(p + n * q).x) / q; } ao = sat(ao);
  vec4 P = vec4(0.), S = vec4(0.); mat3 M = mat3(1.); for (int i = 0; i < ROOM; i++) if (float(i) == h.z) { P = uPos[i]; S = uShape[i]; M = uRot[i]; }
  Stuff s = stuffOf(M * (p - P.xyz) / P.w, M * n, M * rd, h.y, S); vec3 r = reflect(rd, n); float c = sat(dot(n, -rd)); float ft = pow(1. - c, 5.); vec3 key = normalize(vec3(-.5, .8, -.45));
  float sh = 1.; { near = meeting(p + n * .02, key); float q = .05; for (int i = 0; i < 10; i++) { float d = map(p + n * .02 + key * q).x; sh = min(sh, 7. * d / q); q += clamp(d, .05, .5); if (q > 3.) break; } sh = sat(sh); }
  vec3 F0 = mix(vec3(.045), s.color, s.metal); vec3 F = F0 + (1. - F0) * ft * (1. - s.rough * .6); vec3 sp = env(normalize(mix(r, n, s.rough * .35)), s.rough);
  vec3 dif = vec3(1.55, 1.42, 1.28) * sat((dot(n, key) + s.wrap) / (1. + s.wrap)) * mix(.22, 1., sh) + mix(vec3(.16, .12, .12), vec3(.36, .40, .52), n.y * .5 + .5) * ao + vec3(.95, .45, .20) * pow(sat(dot(n, normalize(vec3(.8, -.05, .45)))), 2.) * .8 + vec3(.15, .42, .70) * pow(sat(dot(n, normalize(vec3(-.9, -.1, .3)))), 2.) * .8;
  vec3 col = s.color * (1. - s.metal) * dif * .70 * mix(.5, 1., ao) + sp * F * mix(.30, 1., ao) * mix(.75, 1., sh) + s.light; col *= mix(vec3(.58, .52, .58), vec3(1.), smoothstep(-1.5, .1, p.y)); o = vec4(col * s.alpha, s.alpha);
}
