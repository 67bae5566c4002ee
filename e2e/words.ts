import { readdir, readFile } from 'node:fs/promises';
import { z } from 'zod';

/** The texts of a language by key. */
export type Words = ReadonlyMap<string, string>;

type Tree = { [key: string]: string | Tree };
const Tree: z.ZodType<Tree> = z.record(
  z.string(),
  z.lazy(() => z.union([z.string(), Tree])),
);

/** Reads the translation files of the portal: one folder with several files for each language. */
export async function wordsOf(locale: string): Promise<Words> {
  const folder = new URL(`../portal/public/locales/${locale}/`, import.meta.url);
  const parts = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8');
      return flatten(Tree.parse(JSON.parse(text)));
    }),
  );
  return new Map(parts.flat());
}

function flatten(tree: Tree, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([name, inner]) =>
    typeof inner === 'string' ? [[path + name, inner]] : flatten(inner, `${path}${name}.`),
  );
}
