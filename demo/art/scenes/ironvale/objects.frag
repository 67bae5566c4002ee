// Reactor cores: machined steel with an amber heart; a rack, a service pass and a sealed supply crate.
#include "still-life.glsl"
const float CORE = 0., RACK = 1., PASS = 2., CRATE = 3.;
vec2 core(vec3 p) { // 1 steel, 2 dark steel, 3 heart
  float r = length(p.xz); vec3 m = vec3(p.x, abs(p.y), p.z); float d = cyl(m - vec3(0., .83, 0.), .60, .17, .045); d = max(d, -(box2(vec2(r - .60, m.y - .83), vec2(.030, .020)))); d = max(d, -(box2(vec2(r - .60, m.y - .93), vec2(.020, .014)))); d = min(d, cyl(m - vec3(0., 1.03, 0.), .40, .07, .03)); d = max(d, -cyl(m - vec3(0., 1.12, 0.), .24, .07, .02));
  vec2 t = turnsAbout(p.xz, 6.); d = min(d, cyl(vec3(t.x - .50, m.y - 1.0, t.y), .055, .045, .02)); vec2 o = vec2(d, 1.); float g = cyl(m - vec3(0., .60, 0.), .52, .07, .02); vec2 k = turnsAbout(p.xz, 5.); g = min(g, box3(vec3(k.x - .49, p.y, k.y), vec3(.040, .60, .075)) - .018); o = opU(o, vec2(g, 2.)); o = opU(o, vec2(cyl(p, .385, .60, .02), 3.)); return o;
}
vec2 rack(vec3 p) { // an open steel crate, 4 hazard paint, 5 lamp
  vec3 b = vec3(1.5, .52, .85); float d = max(box3(p, b) - .05, -box3(p - vec3(0., .35, 0.), b - vec3(.12, .1, .12))); float rib = abs(fract(p.x * 1.34 + .5) - .5) / 1.34; if (abs(p.z) > .7) d -= .035 * smoothstep(.12, .09, rib); vec2 o = vec2(d * .9, 2.); vec3 m = abs(p); o = opU(o, vec2(box3(m - vec3(1.46, .0, .81), vec3(.11, .60, .11)) - .03, 1.)); o = opU(o, vec2(box3(vec3(m.x, p.y - .56, m.z - .86), vec3(1.4, .07, .07)) - .02, 1.)); o = opU(o, vec2(box3(p - vec3(0., -.05, -.92), vec3(.46, .20, .03)) - .02, 4.)); o = opU(o, vec2(length(vec3(m.x - 1.12, p.y + .05, p.z + .92)) - .08, 5.)); return o;
}
vec2 pass(vec3 p) { // a tag of brushed steel with a small core set into it
  float d = box3(p, vec3(.98, 1.36, .055)) - .07; d = max(d, dot(vec2(abs(p.x), p.y) - vec2(1.02, 1.10), normalize(vec2(1., 1.)))); d = max(d, -(length(p.xy - vec2(0., 1.12)) - .13)); vec2 o = vec2(d, 1.); float f = box2(p.xy - vec2(0., .22), vec2(.62, .56)) - .04; o.x = max(o.x, -max(f, .055 - abs(p.z) )); float rim = abs(box2(p.xy, vec2(.86, 1.24)) - .03) - .018; o = opU(o, vec2(max(rim, abs(p.z) - .145), 2.)); vec3 c = p - vec3(0., .22, -.06); vec2 k = core(c.yxz * 2.05 * vec3(1., 1., 1.)) / vec2(2.05, 1.); o = opU(o, k); for (int i = 0; i < 3; i++) o = opU(o, vec2(box3(p - vec3(-.12 + .06 * float(i == 2 ? -3 : 0), -.62 - .19 * float(i), -.13), vec3(i == 2 ? .30 : .58 - .1 * float(i), .045, .02)), i == 0 ? 5. : 2.)); o = opU(o, vec2(length(p - vec3(.66, -.98, -.14)) - .085, 5.)); return o;
}
vec2 crate(vec3 p) {
  float d = box3(p - vec3(0., -.15, 0.), vec3(1.42, .62, .95)) - .06; float lid = box3(p - vec3(0., .68, 0.), vec3(1.42, .20, .95)) - .06; lid = max(lid, dot(vec2(abs(p.z), p.y) - vec2(.78, .92), normalize(vec2(.9, .75)))); d = min(d, lid); float rib = abs(fract(p.x * 1.06) - .5) / 1.06; d -= .03 * smoothstep(.15, .12, rib); vec2 o = vec2(d * .9, 2.); vec3 m = vec3(abs(p.x), p.y, abs(p.z)); o = opU(o, vec2(box3(m - vec3(1.42, -.15, .95), vec3(.14, .72, .14)) - .03, 1.)); o = opU(o, vec2(box3(m - vec3(1.42, .68, .90), vec3(.14, .22, .12)) - .03, 1.)); o = opU(o, vec2(box3(vec3(m.x - .80, p.y - .45, p.z + 1.03), vec3(.16, .24, .06)) - .025, 1.)); o = opU(o, vec2(box3(p - vec3(0., .45, -1.03), vec3(.36, .30, .07)) - .03, 1.)); o = opU(o, vec2(cyl((p - vec3(0., .45, -1.12)).xzy, .19, .05, .02), 3.)); vec2 tn = turnsAbout((p - vec3(0., .45, 0.)).xy, 6.); o = opU(o, vec2(box3(vec3(tn.x - .25, tn.y, p.z + 1.12), vec3(.05, .03, .03)), 2.)); o = opU(o, vec2(box3(p - vec3(0., -.36, -1.03), vec3(.95, .15, .03)) - .02, 4.)); o = opU(o, vec2(box3(vec3(m.x - 1.58, p.y - .05, p.z), vec3(.04, .06, .42)) - .03, 1.)); return o;
}
vec2 item(vec3 p, vec4 s) { return s.x < .5 ? core(p) : s.x < 1.5 ? rack(p) : s.x < 2.5 ? pass(p) : crate(p); }
Stuff stuffOf(vec3 p, vec3 n, vec3 rd, float m, vec4 s) {
  float brush = fbm3(p * vec3(3., 40., 3.), 3); float wear = fbm3(p * 5. + s.y * 7., 4);
  if (m < 1.5) return Stuff(vec3(.60, .66, .73) * (.80 + .3 * brush), 1., .24 + .2 * wear, vec3(0.), 1., 0.);
  if (m < 2.5) return Stuff(mix(vec3(.20, .24, .29), vec3(.34, .36, .38), smoothstep(.55, .75, wear)), .85, .45, vec3(0.), 1., 0.);
  if (m < 3.5) { float c = sat(dot(n, -rd)); float v = fbm3(p * vec3(3.2, 2.2, 3.2) + s.y * 9., 4); vec3 g = mix(vec3(.80, .16, .005), vec3(1.55, .50, .045), pow(c, 1.4)) * (.45 + .95 * v) + vec3(1.5, .74, .20) * pow(c, 7.) * (.25 + .9 * v); return Stuff(vec3(.10, .03, .0), 0., .05, g * 1.05, 1., 0.); }
  if (m < 4.5) { float k = smoothstep(-.06, .06, sin((p.x + p.y) * 20.)); return Stuff(mix(vec3(.05), vec3(.95, .48, .06), k), 0., .5, vec3(0.), 1., .1); }
  return Stuff(vec3(.3, .1, .0), 0., .2, vec3(2.0, .72, .08), 1., 0.);
}
vec3 env(vec3 d, float b) {
  float w = .10 + b * .35; vec3 c = mix(vec3(.030, .035, .045), vec3(.20, .26, .34), sat(d.y * .5 + .5)); c += vec3(2.3, 2.4, 2.5) * smoothstep(.86 - w, .90, dot(d, normalize(vec3(-.5, .8, -.45)))); c += vec3(.55, .80, 1.15) * smoothstep(.62 - w, .98, dot(d, normalize(vec3(-.95, .0, .1)))); c += vec3(2.2, 1.0, .34) * smoothstep(.72 - w, .98, dot(d, normalize(vec3(.9, -.05, .25)))); c += vec3(1.0, 1.05, 1.15) * smoothstep(.06 + w * .3, .0, abs(d.x - .35)) * smoothstep(.2, -.3, d.z) * .8; c *= .80 + .4 * smoothstep(.3, .7, sin(d.y * 6. + d.x * 2.) * .5 + .5); return c;
}
