import type { ReplyOf } from '@pointgate/contract/endpoint.ts';
import type { Locale } from '@pointgate/contract/locales.ts';
import { type supportLink, supportLinkSeconds } from '@pointgate/contract/support.ts';
import { SignJWT } from 'jose';
import { findOrder } from '../../money/orders/orders.ts';
import { findGameAccount } from '../../people/accounts/accounts.ts';
import type { Db } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { knownSite, type Sites } from '../../publisher/sites/sites.ts';

export interface SupportContext {
  db: Db;
  sites: Sites;
  /** By site: the secret that customer service shares with the shop. */
  secrets: Readonly<Record<string, string>>;
  now: () => number;
}

export interface SupportAsked {
  accountId: string;
  siteId: string;
  locale: Locale;
  /** The order in question, one of the player's own. */
  paymentId: string | undefined;
}

/**
 * A link with a signed token of the player and the order, so that players need not type an order
 * number and cannot pose as another player.
 */
export async function linkToSupport(
  { db, sites, secrets, now }: SupportContext,
  { accountId, siteId, locale, paymentId }: SupportAsked,
): Promise<ReplyOf<typeof supportLink>> {
  const { crmUrl, gameIds } = await knownSite(sites, siteId);
  const secret = Object.hasOwn(secrets, siteId) ? secrets[siteId] : undefined;
  if (crmUrl === null || secret === undefined) throw new AppError('CustomerServiceMissing');
  if (paymentId !== undefined && (await findOrder(db, { accountId, paymentId })) === undefined) {
    throw new AppError('PaymentIdWrong');
  }
  const gameAccountId = (await findGameAccount(db, { accountId, siteId, gameIds })) ?? null;
  const issuedAt = Math.floor(now() / 1000);
  const expiresAt = issuedAt + supportLinkSeconds;
  const url = new URL(crmUrl);
  const token = await new SignJWT({ gameAccountId, locale, paymentId: paymentId ?? null })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(siteId)
    .setAudience(url.origin)
    .setSubject(accountId)
    .setJti(newId())
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(Buffer.from(secret));
  url.searchParams.set('token', token);
  return { url: url.href, expiresAt: new Date(expiresAt * 1000).toISOString() };
}
