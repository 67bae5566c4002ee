import { z } from 'zod';

const Sites = z.array(z.object({ title: z.string(), url: z.string() }));

/** A line with title and address for each site of the seed. */
export function addressLines(sites: unknown): string {
  const known = Sites.parse(sites);
  const width = Math.max(0, ...known.map(({ title }) => title.length));
  return known.map(({ title, url }) => `  ${title.padEnd(width)}  ${url}\n`).join('');
}
