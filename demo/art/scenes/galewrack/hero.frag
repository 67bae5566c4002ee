// Galewrack key art: a storm at sea by night. Lightning inside the clouds is the only key light; it shines through the crests.
// Units are metres; the camera rides five metres above the mean water. Alpha is 0 where a wave stands before the ship.
uniform vec4 uView; // ship x, horizon y (screen heights, 0 = centre), focal length, flash offset from the ship

const float EYE = 5.2; const float SHIPZ = 58.;
vec2 flash() { return vec2(uView.w, .27); } // the flash on the sky plane, in screen heights from the ship
float puff(vec2 p, int k) { float a = .5, s = 0.; for (int i = 0; i < 8; i++) { if (i >= k) break; s += a * abs(2. * n2(p) - 1.); p = rot(.55) * p * 2.07 + 5.3; a *= .5; } return s; }
vec3 stormSky(vec2 uv, int k) {
  float y = max(uv.y, 0.); vec2 q = vec2(uv.x, y) / (.52 + y * .9); q.y *= 1.7;
  q += .34 * vec2(fbm2(q * 1.5 + 1.7, 4), fbm2(q * 1.5 + 8.3, 4)) - .17; vec2 d = flash() - uv; float fd = length(d * vec2(.82, 1.)); vec2 dir = normalize(d + 1e-4);
  float n = fbm2(q * 2.2, k) + .30 - .42 * puff(q * 2.6 + 3., k); float m = fbm2((q + dir * .05) * 2.2, k) + .30 - .42 * puff((q + dir * .05) * 2.6 + 3., k);
  float lit = sat(.5 + (n - m) * 5.2); float dens = smoothstep(.22, .72, n);
  vec3 dark = mix(vec3(.0065, .013, .017), vec3(.020, .036, .040), dens); dark = mix(dark, vec3(.040, .066, .066), smoothstep(.22, .0, y) * .75);
  vec3 c = dark * (.45 + 1.1 * lit) * mix(.38, 1., smoothstep(-1.25, -.05, uv.x));
  float g = exp(-fd * 3.0); float core = exp(-fd * fd * 34.);
  c += vec3(.13, .29, .28) * g * (.10 + 1.3 * lit * lit) * (.30 + .70 * dens); c += vec3(.55, .82, .76) * core * (.16 + .8 * lit * lit);
  // a paler strip where the rain thins out above the horizon
  c += vec3(.055, .105, .098) * exp(-y * 9.) * exp(-pow((uv.x - uView.w * .4) * 1.6, 2.)) * 1.5;
  // distant rain curtains
  float r = fbm2(vec2(uv.x * 7. + uv.y * 2.6, uv.y * .7 + 4.), 4); c = mix(c, vec3(.018, .034, .036) + vec3(.10, .20, .19) * g, smoothstep(.5, .75, r) * smoothstep(.34, .02, y) * .55);
  return c;
}
// ---- water
float crest(vec2 p, float sharp) { p += 1.5 * vec2(n2(p * .9), n2(p * .9 + 21.)); vec2 w = 1. - abs(sin(p)); vec2 c = abs(cos(p)); w = mix(w, c, w); return pow(1. - pow(w.x * w.y, .62), sharp); }
float height(vec2 p, int k) {
  float h = 2.9 * sin(dot(p, vec2(.020, .088)) + 1.1 * sin(p.x * .031 + 1.) + 2.9) + 1.0 * sin(dot(p, vec2(-.075, .115)) + 1.3);
  float a = 2.15, f = .085, sharp = 3.2; vec2 q = p * vec2(.8, 1.15) + 3.;
  for (int i = 0; i < 9; i++) { if (i >= k) break; h += a * crest(q * f, sharp) + (i < 3 ? a * .55 * crest((q + 31.) * f * 1.13, sharp) : 0.); q = mat2(1.6, 1.2, -1.2, 1.6) * q * .5; f *= 1.86; a *= .33; sharp = mix(sharp, 1., .24); }
  return h - 3.1;
}
vec3 seaNrm(vec2 p, float e) { float h = height(p, 8); return normalize(vec3(h - height(p + vec2(e, 0.), 8), e, h - height(p + vec2(0., e), 8))); }
float toSea(vec3 ro, vec3 rd) {
  if (rd.y > .075) return -1.; float t = 5., lt = 5., lh = 1.; float tmax = 420.;
  for (int i = 0; i < 110; i++) {
    vec3 p = ro + rd * t; float h = p.y - height(p.xz, 3); if (h < .012 * t * .35) break; if (p.y > 6.5 && rd.y > 0.) return -1.; lt = t; lh = h; t += max(h * .45, .10 + t * .004); if (t > tmax) return -1.;
  }
  for (int i = 0; i < 6; i++) { float mid = .5 * (lt + t); vec3 p = ro + rd * mid; if (p.y - height(p.xz, 5) < 0.) t = mid; else lt = mid; }
  return t;
}
vec3 lantern() { return vec3(7.6, 9.0, SHIPZ); }
vec3 sea(vec3 ro, vec3 rd, float t) {
  vec3 p = ro + rd * t; vec3 n = seaNrm(p.xz, .02 + .0016 * t); n = normalize(mix(vec3(0., 1., 0.), n, mix(1., .62, smoothstep(20., 220., t)))); float h = height(p.xz, 5);
  vec3 r = reflect(rd, n); r.y = abs(r.y) + .01; float fr = .02 + .98 * pow(1. - sat(dot(n, -rd)), 5.); vec3 ref = stormSky(r.xy / max(r.z, .35) * uView.z, 4);
  vec3 fl = normalize(vec3(flash(), uView.z)); float toward = pow(sat(dot(rd, fl)), 6.);
  vec3 body = vec3(.0030, .0170, .0155) + vec3(.004, .020, .017) * sat(h * .16 + .5);
  // crests are thin: the flash shines through them
  float thin = smoothstep(-.4, 4.6, h) * sat(.35 + n.z * -.9 + .4 * (1. - n.y)); body += vec3(.016, .235, .150) * thin * (.16 + 1.0 * toward);
  vec3 c = mix(body, ref, sat(fr * .95)); float sp = pow(sat(dot(r, fl)), 26.); c += vec3(.75, 1.05, .95) * sp * .34;
  // foam: torn along the crests, streaked down the backs
  vec2 w = p.xz + 1.2 * vec2(n2(p.xz * .5), n2(p.xz * .5 + 9.)); float lace = 1. - abs(2. * fbm2(w * vec2(.42, .75), 5) - 1.); float cr = smoothstep(1.7, 4.2, h + 1.6 * (fbm2(w * .35, 4) - .5)); float foam = smoothstep(.93 - .30 * cr, 1.0 - .12 * cr, lace) * (.10 + .80 * cr) + smoothstep(.66, .98, cr * (.35 + .95 * fbm2(w * 2.2, 5))) * .8;
  float streak = smoothstep(.84, .98, 1. - abs(2. * fbm2(vec2(w.x * .10 + w.y * .03, w.y * .9), 5) - 1.)) * .16; foam = sat(foam + streak) * smoothstep(260., 40., t);
  vec3 fc = vec3(.070, .120, .112) * (.5 + .6 * n.y) + vec3(.30, .46, .41) * toward * (.14 + .5 * sat(dot(n, fl) + .35)); vec3 L = lantern() - p; float ld = length(L); vec3 warm = vec3(2.6, 1.15, .34);
  fc += warm * 1.1 / (12. + ld * ld * .5) * (.3 + .7 * sat(dot(n, L / ld))); c = mix(c, fc, foam * .88);
  // the lantern's path on the water
  c += warm * pow(sat(dot(r, L / ld)), 38.) * 14. / (6. + ld * .5) * .20 + warm * .16 / (1. + ld * ld * .02) * sat(dot(n, L / ld)) * .25;
  c *= mix(.34, 1., smoothstep(9., 34., t));
  // flying spray
  float f = 1. - exp(-t * .0062); vec3 hz = stormSky(vec2(rd.x / rd.z * uView.z, .015), 4); c = mix(c, hz * .85, sat(f));
  return c;
}
void main() {
  vec2 fc = gl_FragCoord.xy + uOff; vec2 uv = (fc + uJit - .5 * uRes) / uRes.y - uView.xy; vec3 ro = vec3(0., EYE, 0.); vec3 rd = normalize(vec3(uv, uView.z));
  float t = toSea(ro, rd); vec3 c; float a = 1.;
  if (t > 0.) { c = sea(ro, rd, t); a = smoothstep(SHIPZ + .5, SHIPZ - .5, t * rd.z) > .5 ? 0. : 1.; } else c = stormSky(uv, 6);
  float mist = fbm2(uv * vec2(2.6, 6.) + 7., 5); c = mix(c, vec3(.045, .080, .078), smoothstep(.42, .8, mist) * exp(-pow((uv.y - .0) * 11., 2.)) * .55);
  o = vec4(max(c, 0.), a);
}
