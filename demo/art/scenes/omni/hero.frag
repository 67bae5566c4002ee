// Omni key art: six doors of light stand on still water under an indigo sky, each in the colour of one game.
// Calm and abstract; the doors are the only light. Units are metres; the camera stands two metres above the water.
uniform vec4 uView; // group x, horizon y (screen heights, 0 = centre), focal length, unused

const float EYE = 2.1;
vec3 hue(int i) { return i == 0 ? vec3(1.00, .66, .20) : i == 1 ? vec3(1.00, .13, .07) : i == 2 ? vec3(.98, .12, .62) : i == 3 ? vec3(1.00, .36, .05) : i == 4 ? vec3(.42, .90, .22) : vec3(.06, .80, .62); }
// the doors stand on a gentle arc, the middle ones nearer
vec3 doorAt(int i) { float f = float(i) - 2.5; return vec3(f * 4.6, 0., 31. - 2.4 * (2.5 - abs(f)) + .0 * f); }
vec2 doorSize(int i) { float f = abs(float(i) - 2.5); return vec2(1.34, 7.0 - .66 * f); }
float arch(vec2 p, vec2 s) { float top = s.y - s.x; p.y -= max(0., min(p.y, top)); return length(p) - s.x; } // open below, round above
vec3 skyCol(vec3 rd) {
  float y = max(rd.y, 0.); vec3 c = mix(vec3(.050, .042, .150), vec3(.016, .017, .078), smoothstep(.0, .25, y)); c = mix(c, vec3(.0055, .007, .034), smoothstep(.2, .62, y)); float mid = exp(-rd.x * rd.x * 3.2); c += vec3(.060, .030, .120) * exp(-y * 7.) * (.35 + mid);
  vec2 q = rd.xy / max(rd.z, .2); vec2 p = q * vec2(1.4, 2.6); p += .5 * vec2(fbm2(p * 1.4 + 3., 4), fbm2(p * 1.4 + 19., 4)); float n = fbm2(p * 1.5, 6); c += vec3(.045, .034, .125) * smoothstep(.42, .82, n) * (.4 + .8 * mid) * smoothstep(.0, .12, y) * .8; c += vec3(.075, .030, .105) * smoothstep(.52, .86, fbm2(p * 1.9 + 31., 5)) * smoothstep(.05, .3, y) * mid * .55;
  // two thin orbits drawn across the sky
  vec2 e = q - vec2(.0, .115); float r = length(e * vec2(1., 1.)); float a = atan(e.y, e.x); float w = .0011; float o1 = exp(-pow((r - .335) / w, 2.)) * (.25 + .75 * smoothstep(-.4, 1., sin(a * 1. - .3))); float o2 = exp(-pow((r - .352) / (w * .55), 2.)) * .5 * step(.16, fract(a * 19.1)); float o3 = exp(-pow((r - .455) / (w * .6), 2.)) * .35; c += vec3(.62, .55, 1.) * (o1 + o2 * .6 + o3) * .34 * smoothstep(.005, .05, y) * (1. - .5 * smoothstep(.3, .6, y)); c += vec3(.15, .11, .36) * exp(-abs(r - .335) * 26.) * .16 * smoothstep(0., .05, y);
  // stars
  for (int L = 0; L < 2; L++) { float sc = 60. + float(L) * 70.; vec2 g = q * sc; ivec2 i = ivec2(floor(g)); vec2 f = fract(g) - .5; float k = h2(i + ivec2(L * 71, 13)); if (k < .74) continue; vec2 of = vec2(h2(i + ivec2(5, L)), h2(i + ivec2(L, 9))) - .5; float m = pow(h2(i + ivec2(31, L)), 8.) * 3. + .14; c += mix(vec3(.7, .76, 1.), vec3(1., .86, .8), h2(i + 77)) * m * exp(-dot(f - of * .7, f - of * .7) * 700. / (sc / 60.)) * smoothstep(.06, .4, y) * .7; }
  return c;
}
vec3 doors(vec3 ro, vec3 rd, out float solid) { // everything a ray sees of the doors, seen from above or in the mirror
  vec3 c = vec3(0.); solid = 0.;
  for (int i = 0; i < 6; i++) {
    vec3 d = doorAt(i); vec2 s = doorSize(i); float t = (d.z - ro.z) / rd.z; if (t < 0.) continue; vec3 p = ro + rd * t; if (p.y < 0.) continue; vec2 l = vec2(p.x - d.x, p.y); float g = arch(vec2(l.x, abs(l.y)), s); vec3 k = hue(i); float in_ = smoothstep(.02, -.02, g); float y = sat(l.y / s.y);
    // a glow round the frame and a far one in the air
    float out_ = max(g, 0.); c += k * (exp(-out_ * 2.3) * .20 + exp(-out_ * .55) * .050 + exp(-out_ * .16) * .010) * (1. - in_);
    if (l.y > -.0) {
      // inside: a soft depth of light with drifting veils, brightest at the sill
      vec2 q = l / s.x; float v = fbm2(vec2(q.x * 1.5 + float(i) * 9., q.y * .55 - .2) + .6 * fbm2(q * 1.1 + float(i) * 5., 3), 5); vec3 lightC = mix(k * k * .55, k * 1.0, smoothstep(.2, .8, v)); lightC += mix(k, vec3(1.), .55) * (exp(-y * 3.4) * .95 + .22 * exp(-pow(q.x * 1.5, 2.) * 1.6) * (1. - y)); lightC *= (.30 + .85 * smoothstep(-.0, -1., g / s.x)) * mix(.30, 1., exp(-y * 1.7)); lightC += mix(k, vec3(1.), .3) * exp(-abs(g + .20) * 16.) * .35;
      c = mix(c, lightC * 1.05, in_); // the frame: dark glass with a bright inner line
      float fr = smoothstep(.02, -.02, abs(g - .10) - .10); vec3 fc = mix(vec3(.012, .012, .040), k * .35, .35) + mix(k, vec3(1.), .35) * exp(-abs(g) * 42.) * 1.6 + vec3(.5, .48, .8) * exp(-abs(g - .19) * 60.) * .14; c = mix(c, fc, fr); solid = max(solid, max(fr, in_));
    }
  }
  return c;
}
void main() {
  vec2 fc = gl_FragCoord.xy + uOff; vec2 full = (fc + uJit - .5 * uRes) / uRes.y; vec2 uv = full - uView.xy; vec3 ro = vec3(0., EYE, 0.); vec3 rd = normalize(vec3(uv, uView.z)); vec3 c; float s;
  float tw = rd.y < -1e-4 ? -EYE / rd.y : 1e5; vec3 nearDoor = vec3(0.);
  if (rd.y > 0. || (doorAt(2).z / rd.z < tw && tw > 25. )) { vec3 d = doors(ro, rd, s); c = skyCol(rd) * (1. - s) + d; if (rd.y > 0. || s > .5) tw = 1e5; else nearDoor = d; }
  if (tw < 9e4) {
    vec3 p = ro + rd * tw; vec2 q = p.xz; vec2 g = vec2(0.); float a = 1., f = .9; for (int i = 0; i < 9; i++) { vec2 dd = vec2(sin(float(i) * 2.4), cos(float(i) * 2.4) + .6); float ph = dot(q, dd) * f + float(i) * 1.9 + 2.4 * n2(q * f * .3 + float(i) * 3.); g += a * dd * cos(ph) * .5; a *= .80; f *= 1.32; } g *= .0135 * smoothstep(120., 6., tw); vec3 n = normalize(vec3(g.x, 1., g.y * 1.4)); vec3 r = reflect(rd, n); r.y = abs(r.y) + .002; vec3 m = doors(vec3(p.x, 0., p.z), r, s); vec3 ref = skyCol(r) * (1. - s) + m; float fr = .06 + .94 * pow(1. - sat(dot(n, -rd)), 3.2); c = vec3(.004, .005, .022) + ref * fr * .86; float lum = 0.; vec3 spill = vec3(0.); for (int i = 0; i < 6; i++) { vec3 d = doorAt(i); vec2 e = (p.xz - d.xz) * vec2(.55, .30); spill += hue(i) * exp(-dot(e, e)) * .10; } c += spill * smoothstep(.3, .8, fbm2(q * vec2(.5, .22), 4)); float f2 = 1. - exp(-tw * .012); c = mix(c, vec3(.050, .042, .150), sat(f2) * .35) + nearDoor;
  }
  // low mist in the light of the doors
  float mist = smoothstep(.36, .78, fbm2(uv * vec2(2.2, 9.) + 5., 5)) * exp(-pow((uv.y + .045) * 13., 2.)); vec3 mc = vec3(.05, .045, .14); for (int i = 0; i < 6; i++) { vec3 d = doorAt(i); float x = uv.x - d.x / d.z * uView.z; mc += hue(i) * exp(-x * x * 90.) * .20; } c = mix(c, mc, mist * .42);
  c *= mix(.58, 1., smoothstep(-1.35, -.45, uv.x)); o = vec4(max(c, 0.), 1.);
}
