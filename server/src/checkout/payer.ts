import { environmentOf } from '@pointgate/contract/environment.ts';
import type { Payer, PaymentScene } from '../money/psp/psp.ts';
import type { Place } from '../money/routing/offered.ts';
import { openIdOfSession } from '../people/identity/identity.ts';
import type { Db } from '../platform/db.ts';
import type { Player } from '../platform/http.ts';
import type { Site } from '../publisher/sites/sites.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The payer data that providers ask for, and the place on which payment methods depend. */
export async function payerOf(
  db: Db,
  asked: { headers: Headers; ip: string; player: Player; country: string | null },
): Promise<{ payer: Payer; place: Place }> {
  const { headers, ip: clientIp, player, country } = asked;
  const scene = sceneOf(headers);
  const bound = scene === 'wechat' ? await openIdOfSession(db, player) : undefined;
  return {
    payer: { scene, clientIp, openId: bound?.openId ?? null },
    place: { scene, openIdApp: bound?.appId ?? null, country },
  };
}

export function sceneOf(headers: Headers): PaymentScene {
  const { 'user-agent': told } = headers;
  const userAgent = typeof told === 'string' ? told : '';
  // The server does not know the number of touch points, so an iPad that reports macOS counts as a
  // Mac.
  const { system, host } = environmentOf({ userAgent, maxTouchPoints: 0 });
  if (host === 'wechat') return 'wechat';
  return system === 'desktop' ? 'desktop' : 'mobile';
}

/** The country that the reverse proxy reports, or else the country of the site. */
export function countryOf(
  headers: Headers,
  { header, site }: { header: string | undefined; site: Pick<Site, 'priceCountry'> },
): string | null {
  const told = header === undefined ? undefined : headers[header];
  return typeof told === 'string' && /^[A-Z]{2}$/.test(told) ? told : site.priceCountry;
}
