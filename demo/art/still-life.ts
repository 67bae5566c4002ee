// Objects lit by still-life.glsl; the scene's objects.frag defines their shapes.
import { type Placed, placing } from './placing.ts';
import type { Thing } from './scene.ts';

// As in the shader.
const room = 24;

export interface StillLife {
  zoom: number;
  /** Moves all of it up or down, to the middle of the frame. */
  lift?: number;
  things: readonly Placed[];
}

export function stillLives(game: string, lives: Record<string, StillLife>): Thing[] {
  return Object.entries(lives).map(([name, { zoom, lift = 0, things }]) => ({
    kind: 'thing',
    name: `${game}-${name}`,
    shader: 'objects.frag',
    samples: 3,
    uniforms: {
      ...placing(
        things.map((placed) => ({
          ...placed,
          at: [placed.at[0], placed.at[1] + lift, placed.at[2]],
        })),
        room,
      ),
      uZoom: zoom,
    },
    exposure: 0.92,
    saturation: 1.12,
  }));
}
