import * as z from 'zod/mini';
import { LoginMethod } from './accounts.ts';
import { Locale } from './locales.ts';
import { Currency } from './money.ts';
import { Slug } from './names.ts';
import { PaymentMethod } from './orders.ts';

/** What a browser has to know of its site; written into index.html and served as /config.json. */
export const SiteConfig = z.strictObject({
  /** 0 game, 1 platform. */
  domainType: z.union([z.literal(0), z.literal(1)]),
  siteTitle: z.string(),
  /** The build that answers; clients send it back in the `hversion` header. */
  version: z.string(),
  locales: z.array(Locale),
  currency: Currency,
  methods: z.array(PaymentMethod),
  loginMethods: z.array(LoginMethod),
  gameInfo: z.strictObject({
    /** API base; empty for the same origin. */
    cgi: z.string(),
    gameId: z.nullable(Slug),
    customConfig: z.strictObject({
      loggerUrl: z.nullable(z.url()),
      brandId: Slug,
      wechatAppId: z.nullable(z.string()),
    }),
  }),
});
export type SiteConfig = z.output<typeof SiteConfig>;

/** The id of the `<script type="application/json">` that carries the config. */
export const siteConfigElementId = 'site-config';
