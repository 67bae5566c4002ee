import { Slug } from '@pointgate/contract/names.ts';
import type { SiteTheme } from '@pointgate/contract/site-config.ts';
import { z } from 'zod';

const Color = z.string().regex(/^#[\da-f]{6}$/);

/** The theme column of a site or game. Strict, because a misspelt token would have no effect. */
export const Theme = z.strictObject({
  accent: Color.nullable().default(null),
  accentStrong: Color.nullable().default(null),
  hero: z.nullable(Slug).default(null),
  logo: z.nullable(Slug).default(null),
}) satisfies z.ZodType<SiteTheme>;
