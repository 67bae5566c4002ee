// What a scene says about its pictures. A scene draws one game; its shaders lie beside it.
import type { Grade } from './grade.ts';
import type { Uniforms } from './renderer.ts';
import type { Sheet } from './sheets.ts';

export interface Size {
  width: number;
  height: number;
}

/** Silhouettes laid over the drawn picture, as SVG of its size: dark ones cover, glowing ones add light. */
export interface Overlay {
  dark: string;
  glow: string;
}

/** Key art, to the edges. */
export interface KeyArt extends Size {
  kind: 'key-art';
  name: string;
  shader: string;
  samples: number;
  uniforms: Uniforms;
  grade: Grade;
  overlay?: (size: Size) => Overlay;
  /** Instead of one overlay, many of them, one after another. */
  sheets?: (size: Size) => readonly Sheet[];
  /** Small squares cut from it: file name, then left, top and side as shares of the height. */
  cuts?: Cut[];
  /** Parts of it that are pictures of their own. */
  details?: readonly Detail[];
}

export interface Cut {
  file: string;
  left: number;
  top: number;
  side: number;
  brightness?: number;
}

/** Left, top and width as shares of the whole. */
export interface Detail {
  name: string;
  left: number;
  top: number;
  width: number;
}

/** A thing on nothing: a pack, a pass, a chest. */
export interface Thing {
  kind: 'thing';
  name: string;
  shader: string;
  samples: number;
  uniforms: Uniforms;
  exposure: number;
  saturation: number;
  /** Also as a small trimmed icon in this file. */
  icon?: string;
}

export type Picture = KeyArt | Thing;

export const wide: Size = { width: 1920, height: 1012 };
export const tall: Size = { width: 1080, height: 1080 };
export const thing: Size = { width: 512, height: 512 };
