import type { SiteTheme } from '@pointgate/contract/site-config.ts';
import { z } from 'zod';

const Color = z.string().regex(/^#[\da-f]{6}$/);
const Picture = z.string().regex(/^[a-z0-9][a-z0-9_.-]{0,63}$/);

/** The look of a site or a game in its row. Strict, because a misspelt token would silently change nothing. */
export const Theme = z.strictObject({
  accent: Color.nullable().default(null),
  accentStrong: Color.nullable().default(null),
  hero: Picture.nullable().default(null),
  logo: Picture.nullable().default(null),
}) satisfies z.ZodType<SiteTheme>;
