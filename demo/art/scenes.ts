import type { Picture } from './scene.ts';
import { pictures as galewrack } from './scenes/galewrack/scene.ts';
import { pictures as ironvale } from './scenes/ironvale/scene.ts';
import { pictures as lanternCourt } from './scenes/lantern-court/scene.ts';
import { pictures as neonMeridian } from './scenes/neon-meridian/scene.ts';
import { pictures as omni } from './scenes/omni/scene.ts';
import { pictures as pawAndPetal } from './scenes/paw-and-petal/scene.ts';
import { pictures as solmere } from './scenes/solmere/scene.ts';

/** By the folder their shaders lie in. */
export const scenes: Record<string, readonly Picture[]> = {
  galewrack,
  ironvale,
  'lantern-court': lanternCourt,
  'neon-meridian': neonMeridian,
  omni,
  'paw-and-petal': pawAndPetal,
  solmere,
};
