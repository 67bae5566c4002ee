import * as z from 'zod/mini';
import { LoginMethod } from './accounts.ts';
import { collectPath, LoggerKey } from './analytics.ts';
import { Locale } from './locales.ts';
import { Currency } from './money.ts';
import { Slug } from './names.ts';
import { PaymentMethod } from './orders.ts';

const Color = z.string().check(z.regex(/^#[\da-f]{6}$/));
const WebAddress = z.url({ protocol: /^https?$/ });

/** How a site looks; what is null looks as the portal does by itself. */
export const SiteTheme = z.strictObject({
  accent: z.nullable(Color),
  /** The same where it stands on a light ground or is pressed. */
  accentStrong: z.nullable(Color),
  /** Names of pictures in the site's art folder. */
  hero: z.nullable(Slug),
  logo: z.nullable(Slug),
});
export type SiteTheme = z.output<typeof SiteTheme>;

/** Where the game of a site is started or had, by the player's device; what is null is not there. */
export const PlayUrls = z.strictObject({
  ios: z.nullable(WebAddress),
  android: z.nullable(WebAddress),
  desktop: z.nullable(WebAddress),
});
export type PlayUrls = z.output<typeof PlayUrls>;

/** What a browser has to know of its site; written into index.html and served as /config.json. */
export const SiteConfig = z.strictObject({
  /** 0 game, 1 platform. */
  domainType: z.union([z.literal(0), z.literal(1)]),
  siteTitle: z.string(),
  /** The build that answers; clients send it back in the `hversion` header. */
  version: z.string(),
  theme: SiteTheme,
  locales: z.array(Locale),
  currency: Currency,
  /** All that players can pay in; `currency` is the first. */
  currencies: z.array(Currency),
  /** Where it sells; everywhere if there is none. */
  countries: z.array(z.string()),
  /** Limits by day, week and month begin at midnight here. */
  timeZone: z.string(),
  /** How players can pay where this one is, in one currency or another. */
  methods: z.array(PaymentMethod),
  /** What they could pay with as well, were it not switched off or failing. It comes back. */
  methodsOut: z.array(PaymentMethod),
  loginMethods: z.array(LoginMethod),
  policies: z.strictObject({
    privacyUrl: z.nullable(WebAddress),
    agreementUrl: z.nullable(WebAddress),
  }),
  gameInfo: z.strictObject({
    /** API base; empty for the same origin. */
    cgi: z.string(),
    gameId: z.nullable(Slug),
    playUrls: PlayUrls,
    customConfig: z.strictObject({
      /** Where events go; a path where it is the shop itself that collects them. */
      loggerUrl: z.nullable(z.union([z.url(), z.literal(collectPath)])),
      /**
       * A new device id and its key, for a browser that has none yet. One that has a device id keeps
       * it, and its key too as long as `kid` is the same. Null where the shop collects nothing.
       */
      loggerKey: z.nullable(LoggerKey),
      brandId: Slug,
      wechatAppId: z.nullable(z.string()),
      /** Whether WeChat signs in outside its app, too, by a code to scan. */
      hasWechatScan: z.boolean(),
    }),
  }),
});
export type SiteConfig = z.output<typeof SiteConfig>;

/** The id of the `<script type="application/json">` that carries the config. */
export const siteConfigElementId = 'site-config';
