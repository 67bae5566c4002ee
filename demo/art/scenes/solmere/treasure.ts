import type { Uniforms } from '../../renderer.ts';
import type { Thing } from '../../scene.ts';

function treasure(name: string, uniforms: Uniforms): Thing {
  return {
    kind: 'thing',
    name,
    shader: 'treasure.frag',
    samples: 4,
    uniforms: { uChest: 0, uPass: 0, ...uniforms },
    exposure: 0.92,
    saturation: 1.18,
  };
}

export const treasures: readonly Thing[] = [
  treasure('solmere-pass', { uPass: 1, uZoom: 1.95, uAim: 0.02 }),
  treasure('solmere-chest', { uChest: 1, uZoom: 1.72, uAim: -0.1 }),
];
