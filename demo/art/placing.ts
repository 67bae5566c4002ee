// Where the objects of a still life lie: positions, sizes and rotations as a shader's uniforms.
import type { Uniforms } from './renderer.ts';

export type Vector = [number, number, number];

export interface Placed {
  at: Vector;
  size: number;
  /** Radians about x, y and z; y turns first, z last. */
  turned: Vector;
  /** Further values for the shader. */
  traits?: [number, number, number, number];
}

/** Uniforms uN, uPos, uRot and uShape; the shader's arrays are as long as `room`. */
export function placing(objects: readonly Placed[], room: number): Uniforms {
  if (objects.length > room) throw new Error(`${objects.length} objects, room for ${room}`);
  const positions = new Array<number>(room * 4).fill(0);
  const rotations = new Array<number>(room * 9).fill(0);
  const traits = new Array<number>(room * 4).fill(0);
  objects.forEach((object, i) => {
    positions.splice(i * 4, 4, ...object.at, object.size);
    rotations.splice(i * 9, 9, ...rotation(object.turned));
    traits.splice(i * 4, 4, ...(object.traits ?? [0, 0, 0, 0]));
  });
  return {
    uN: objects.length,
    uPos: { type: 'vec4', data: positions },
    uRot: { type: 'mat3', data: rotations },
    uShape: { type: 'vec4', data: traits },
  };
}

/** Row by row; read by WebGL as columns it is the inverse, from the world into the object. */
export function rotation([x, y, z]: Vector): number[] {
  const [cx, sx, cy, sy, cz, sz] = [x, y, z].flatMap((angle) => [
    Math.cos(angle),
    Math.sin(angle),
  ]) as [number, number, number, number, number, number];
  return [
    cz * cy - sz * sx * sy,
    -sz * cx,
    cz * sy + sz * sx * cy,
    sz * cy + cz * sx * sy,
    cz * cx,
    sz * sy - cz * sx * cy,
    -cx * sy,
    sx,
    cx * cy,
  ];
}

/** A seeded random generator, so that a picture is the same when it is rendered again. */
export function seeded(start: number): () => number {
  let seed = start;
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
