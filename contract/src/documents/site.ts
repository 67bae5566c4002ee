import { z } from 'zod';
import { loginMethods } from '../accounts.ts';
import { collectPath } from '../analytics.ts';
import { locales } from '../locales.ts';
import { paymentMethodNames } from '../payment-method-list.ts';
import { Country, CurrencyName, Id, Theme, WebAddress } from './parts.ts';

/** Strict, because a misspelt device would silently have no link. */
export const PlayUrls = z
  .strictObject({
    ios: WebAddress.nullable().default(null),
    android: WebAddress.nullable().default(null),
    desktop: WebAddress.nullable().default(null),
  })
  .describe('The links to start or install the game.');

/** Strict keys, because a misspelt method would silently be offered everywhere. */
export const MethodCountries = z
  .partialRecord(z.enum(paymentMethodNames), z.array(Country).min(1))
  .describe('The countries in which a method is offered, where it is not all of them.');

/** Strict keys, because a misspelt method would silently be paid into another account. */
export const Contracts = z
  .partialRecord(z.enum(paymentMethodNames).exclude(['epoint']), z.string().min(1))
  .describe('The merchant account of a method, where it is not the one named after its provider.');

export const TimeZone = z
  .string()
  .refine(isTimeZone, 'is no time zone: write one such as Europe/Berlin')
  .describe('The time zone in which days of limits begin, such as Europe/Berlin.');

/** The content security policy of the portal refuses other addresses. */
export const LoggerUrl = z.union([z.url(), z.literal(collectPath)]).nullable();

const Host = z
  .string()
  .regex(
    /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/,
    'is no host: write it in small letters and without https://, such as shop.example',
  );

const GameIds = z.array(Id).min(1);

/** `sites/<id>/site.yaml` */
export const SiteDocument = z
  .strictObject({
    title: z.string().trim().min(1),
    brandId: Id.describe('The name of the folder with its art.'),
    hosts: z
      .array(Host)
      .min(1)
      .optional()
      .describe('The hosts of the site, the first the usual one.'),
    portalUrl: WebAddress.optional().describe(
      'Where payment providers send players back to. Without it: https:// and the first host.',
    ),
    subdomain: z
      .nullable(Id)
      .optional()
      .describe('In a demo, in place of hosts: a subdomain of the address of the installation.'),
    gameId: Id.optional().describe('The game of a site with one.'),
    gameIds: GameIds.optional().describe('The games of a platform, in display order.'),
    theme: Theme.prefault({}),
    currency: CurrencyName.describe('The currency that players see first.'),
    otherCurrencies: z.array(CurrencyName).default([]),
    countries: z.array(Country).default([]).describe('Where it sells. Empty for everywhere.'),
    priceCountry: Country.nullable().default(null).describe('The country whose prices it shows.'),
    timeZone: TimeZone.default('UTC'),
    locales: z
      .array(z.enum(locales))
      .min(1)
      .default([...locales]),
    methods: z
      .array(z.enum(paymentMethodNames))
      .min(1)
      .describe('Payment methods in display order.'),
    methodCountries: MethodCountries.default({}),
    contracts: Contracts.default({}),
    loginMethods: z
      .array(z.enum(loginMethods))
      .min(1)
      .default([...loginMethods]),
    privacyUrl: WebAddress.nullable().default(null),
    agreementUrl: WebAddress.nullable().default(null),
    loggerUrl: LoggerUrl.default(null),
    wechatAppId: z.string().nullable().default(null),
    crmUrl: z.url().nullable().default(null).describe("The publisher's customer service."),
    playUrls: PlayUrls.prefault({}),
    orderMinutes: z
      .int()
      .min(1)
      .max(4320)
      .default(30)
      .describe('How long an order may stay unpaid.'),
    promiseHours: z
      .int()
      .min(1)
      .max(720)
      .default(24)
      .describe('After how long a paid order that is not delivered is refunded.'),
    spendOrder: z.enum(['present_first', 'basic_first']).default('present_first'),
    policyPack: Id.default('none').describe('The spending laws: none, china or korea.'),
  })
  .refine(({ gameId, gameIds }) => (gameId === undefined) !== (gameIds === undefined), {
    path: ['gameId'],
    message: 'write either gameId, the one game of a site, or gameIds, the games of a platform',
  })
  .refine(({ hosts, subdomain }) => (hosts === undefined) !== (subdomain === undefined), {
    path: ['hosts'],
    message: 'write hosts, such as [shop.example], or in a demo a subdomain',
  })
  .describe('A site: hosts with their brand, games, currencies and payment methods.');
export type SiteDocument = z.output<typeof SiteDocument>;

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone });
    return true;
  } catch {
    return false;
  }
}
