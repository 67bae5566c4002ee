import type { Rolldown } from 'vite';

/** What the build has made of a face. */
export function faceFile(
  files: Iterable<Rolldown.OutputAsset | Rolldown.OutputChunk>,
  name: string,
): string {
  const file = [...files].find((each) => each.type === 'asset' && each.names.includes(name));
  if (file === undefined) throw new Error(`There is no face ${name} in the bundle.`);
  return file.fileName;
}
