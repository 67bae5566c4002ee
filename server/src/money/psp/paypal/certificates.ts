import { type KeyObject, X509Certificate } from 'node:crypto';
import { callOut, OutboundFailure, rootsFor } from '../../../platform/outbound.ts';
import { timeoutMs } from './client.ts';
import type { PaypalOptions } from './options.ts';

/**
 * The public key of a certificate: `refused` if the certificate is not trusted, `unverifiable` if it cannot
 * be fetched now.
 */
type SigningKey = { outcome: 'ok'; key: KeyObject } | { outcome: 'refused' | 'unverifiable' };

export type FindKey = (url: string, at: Date) => Promise<SigningKey>;

const keptMax = 20;
const chainLengthMax = 6;
/** Limits the fetches that forged messages with made-up certificate URLs can cause. */
const fetchesPerMinuteMax = 10;

type Fetched =
  | { outcome: 'ok'; chain: X509Certificate[] }
  | { outcome: 'refused' | 'unverifiable' };

/** Finds the signing keys of webhooks. A certificate is cached, and validated again for each webhook. */
export function openKeys(options: PaypalOptions): FindKey {
  const roots = rootsFor(options.route).map((root) => new X509Certificate(root));
  const kept = new Map<string, X509Certificate[]>();
  const underWay = new Map<string, Promise<Fetched>>();
  let fetches: number[] = [];

  async function chainAt(url: string): Promise<Fetched> {
    const chain = kept.get(url);
    if (chain !== undefined) return { outcome: 'ok', chain };
    const already = underWay.get(url);
    if (already !== undefined) return await already;
    fetches = fetches.filter((at) => at > Date.now() - 60_000);
    if (fetches.length >= fetchesPerMinuteMax) return { outcome: 'unverifiable' };
    fetches.push(Date.now());
    const fetching = fetchChain(options, url).finally(() => underWay.delete(url));
    underWay.set(url, fetching);
    return await fetching;
  }

  return async (url, at) => {
    if (!isProviders(url, options)) return { outcome: 'refused' };
    const found = await chainAt(url);
    if (found.outcome !== 'ok') return found;
    const [leaf] = found.chain;
    if (leaf === undefined || !isBelievable(found.chain, roots, at)) return { outcome: 'refused' };
    // Only trusted certificates are cached, so forged messages cannot evict them.
    if (kept.size >= keptMax) kept.clear();
    kept.set(url, found.chain);
    return { outcome: 'ok', key: leaf.publicKey };
  };
}

/** Whether a URL is exactly a certificate URL of this PayPal environment. */
export function isProviders(url: string, { environment }: PaypalOptions): boolean {
  const domain = environment === 'production' ? 'paypal.com' : 'sandbox.paypal.com';
  const escaped = domain.replaceAll('.', '\\.');
  return new RegExp(
    `^https://api(-m)?\\.${escaped}/v1/notifications/certs/[A-Za-z0-9-]{1,100}$`,
  ).test(url);
}

async function fetchChain({ route }: PaypalOptions, url: string): Promise<Fetched> {
  try {
    const reply = await callOut({ url, method: 'GET', headers: {}, timeoutMs, route });
    // PayPal itself says that the certificate does not exist, so a retry is useless.
    if (reply.status === 404) return { outcome: 'refused' };
    if (reply.status !== 200) return { outcome: 'unverifiable' };
    const pems = new TextDecoder()
      .decode(reply.body)
      .match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
    if (pems === null || pems.length > chainLengthMax) return { outcome: 'refused' };
    return { outcome: 'ok', chain: pems.map((pem) => new X509Certificate(pem)) };
  } catch (error) {
    if (error instanceof OutboundFailure) return { outcome: 'unverifiable' };
    if (error instanceof Error && 'code' in error) return { outcome: 'refused' };
    throw error;
  }
}

/** Whether PayPal's certificate chains up to a trusted root with every certificate valid at that time. */
function isBelievable(
  [leaf, ...others]: readonly X509Certificate[],
  roots: readonly X509Certificate[],
  at: Date,
): boolean {
  if (leaf === undefined || leaf.publicKey.asymmetricKeyType !== 'rsa') return false;
  if (!/^CN=([a-z0-9-]+\.)+paypal\.com$/m.test(leaf.subject)) return false;
  let current = leaf;
  for (let step = 0; step <= chainLengthMax; step += 1) {
    if (at < current.validFromDate || at > current.validToDate) return false;
    const issued = (issuer: X509Certificate) =>
      issuer.ca && current.checkIssued(issuer) && current.verify(issuer.publicKey);
    const root = roots.find(issued);
    if (root !== undefined) return at >= root.validFromDate && at <= root.validToDate;
    const above = others.find(issued);
    if (above === undefined || above === current) return false;
    current = above;
  }
  return false;
}
