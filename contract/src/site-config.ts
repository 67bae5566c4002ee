import * as z from 'zod/mini';
import { LoginMethod } from './accounts.ts';
import { collectPath, LoggerKey } from './analytics.ts';
import { Locale } from './locales.ts';
import { Currency } from './money.ts';
import { domainTypes } from './named-numbers.ts';
import { Slug } from './names.ts';
import { PaymentMethod } from './orders.ts';

const Color = z.string().check(z.regex(/^#[\da-f]{6}$/));
const WebAddress = z.url({ protocol: /^https?$/ });

/** The theme of a site; null values fall back to the portal's default. */
export const SiteTheme = z.strictObject({
  accent: z.nullable(Color),
  /** The accent color on a light background or when pressed. */
  accentStrong: z.nullable(Color),
  /** Names of pictures in the site's art folder. */
  hero: z.nullable(Slug),
  logo: z.nullable(Slug),
});
export type SiteTheme = z.output<typeof SiteTheme>;

/**
 * Where the game of a site can be started or installed, by device; null if not available there.
 */
export const PlayUrls = z.strictObject({
  ios: z.nullable(WebAddress),
  android: z.nullable(WebAddress),
  desktop: z.nullable(WebAddress),
});
export type PlayUrls = z.output<typeof PlayUrls>;

/** The config of a site for browsers, embedded in index.html and served as /config.json. */
export const SiteConfig = z.strictObject({
  domainType: z.union([z.literal(domainTypes.game), z.literal(domainTypes.hub)]),
  siteTitle: z.string(),
  /** The build of the server; clients send it back in the `hversion` header. */
  version: z.string(),
  /** Whether nothing here is real money; the portal says so on every page. */
  isRehearsal: z.boolean(),
  theme: SiteTheme,
  locales: z.array(Locale),
  currency: Currency,
  /** All currencies for payments; `currency` is the first. */
  currencies: z.array(Currency),
  /** The countries where the site sells; empty means everywhere. */
  countries: z.array(z.string()),
  /** Limits by day, week and month begin at midnight in this time zone. */
  timeZone: z.string(),
  /** Payment methods in the visitor's country, in any currency. */
  methods: z.array(PaymentMethod),
  /** Methods that are switched off or failing at the moment. */
  methodsOut: z.array(PaymentMethod),
  loginMethods: z.array(LoginMethod),
  policies: z.strictObject({
    privacyUrl: z.nullable(WebAddress),
    agreementUrl: z.nullable(WebAddress),
  }),
  gameInfo: z.strictObject({
    /** The base of API calls; empty for the same origin. */
    cgi: z.string(),
    gameId: z.nullable(Slug),
    playUrls: PlayUrls,
    customConfig: z.strictObject({
      /** The address for events; a path if the shop collects them. */
      loggerUrl: z.nullable(z.union([z.url(), z.literal(collectPath)])),
      /**
       * A new device id with its key, for a browser that has none. A browser with a device id keeps
       * it, and keeps its key as long as `kid` is the same. Null if the shop collects no events.
       */
      loggerKey: z.nullable(LoggerKey),
      brandId: Slug,
      wechatAppId: z.nullable(z.string()),
      /** Whether WeChat sign-in is also offered outside its app, by a QR code. */
      hasWechatScan: z.boolean(),
    }),
  }),
});
export type SiteConfig = z.output<typeof SiteConfig>;

/** The id of the `<script type="application/json">` that carries the config. */
export const siteConfigElementId = 'site-config';
