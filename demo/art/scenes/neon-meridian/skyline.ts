import { seeded } from '../../placing.ts';
import type { Uniforms } from '../../renderer.ts';

// As in the shader.
const room = 44;

interface Tower {
  x: number;
  z: number;
  halfWidth: number;
  halfDepth: number;
  height: number;
  /** 0 to 1 over cyan, magenta, violet and amber. */
  hue: number;
  brightness: number;
}

/** The towers beside the track, near ones by hand. To the left they stay dark: words stand there. */
const near: Tower[] = [
  { x: -98, z: 112, halfWidth: 10, halfDepth: 8, height: 36, hue: 0.7, brightness: 0.32 },
  { x: -72, z: 124, halfWidth: 8, halfDepth: 7, height: 21, hue: 0.1, brightness: 0.36 },
  { x: -53, z: 122, halfWidth: 6, halfDepth: 6, height: 43, hue: 0.75, brightness: 0.45 },
  { x: -35, z: 116, halfWidth: 6.5, halfDepth: 6, height: 27, hue: 0.2, brightness: 0.6 },
  { x: -23, z: 98, halfWidth: 4.5, halfDepth: 5, height: 38, hue: 0.5, brightness: 0.9 },
  { x: -21, z: 152, halfWidth: 6, halfDepth: 6, height: 62, hue: 0.1, brightness: 1 },
  { x: 31, z: 58, halfWidth: 6.5, halfDepth: 6, height: 46, hue: 0.2, brightness: 1 },
  { x: 25, z: 100, halfWidth: 5.5, halfDepth: 6, height: 50, hue: 0.5, brightness: 1.1 },
  { x: 42, z: 84, halfWidth: 6, halfDepth: 7, height: 34, hue: 0.75, brightness: 1 },
  { x: 10, z: 196, halfWidth: 7, halfDepth: 7, height: 84, hue: 0.5, brightness: 1.2 },
];

function far(random: () => number, count: number): Tower[] {
  return Array.from({ length: count }, (_, i): Tower => {
    const z = 150 + random() * 110;
    const side = i % 2 === 0 ? -1 : 1;
    const x = side * (26 + random() * z * 0.72);
    return {
      x,
      z,
      halfWidth: 4 + random() * 5,
      halfDepth: 4 + random() * 5,
      height: 8 + random() * random() * 46,
      hue: random(),
      brightness: x < -30 ? 0.4 + 0.3 * random() : 0.7 + 0.4 * random(),
    };
  });
}

/** Every tower ends in a narrower block. */
function withCrown(tower: Tower): Tower[] {
  const crown = {
    ...tower,
    halfWidth: tower.halfWidth * 0.62,
    halfDepth: tower.halfDepth * 0.62,
    height: tower.height + tower.halfWidth * 1.6,
  };
  return [tower, crown];
}

export function skyline(): Uniforms {
  const random = seeded(19);
  const towers = [...near.flatMap(withCrown), ...far(random, 24)];
  const places = new Array<number>(room * 4).fill(0);
  const looks = new Array<number>(room * 4).fill(0);
  towers.slice(0, room).forEach((tower, i) => {
    places.splice(i * 4, 4, tower.x, tower.z, tower.halfWidth, tower.height);
    looks.splice(i * 4, 4, tower.halfDepth, tower.hue, random(), tower.brightness);
  });
  return {
    uTowers: Math.min(room, towers.length),
    uTower: { type: 'vec4', data: places },
    uLook: { type: 'vec4', data: looks },
  };
}
