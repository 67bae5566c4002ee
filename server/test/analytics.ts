import { createHmac, randomUUID } from 'node:crypto';
import type { LoggerKey } from '@pointgate/contract/analytics.ts';
import type { LogBatch, LogEvent } from '@pointgate/contract/log-events.ts';
import { SiteConfig } from '@pointgate/contract/site-config.ts';
import { callRaw, type RawReply } from './raw-call.ts';
import type { TestShop } from './shop.ts';

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const masterKeys = [
  { id: 'now', key: key(7) },
  { id: 'before', key: key(9) },
];

/** The settings of a shop that collects events. */
export function analyticsEnvironment(keys = masterKeys): Record<string, string> {
  return { ANALYTICS_KEYS: JSON.stringify(keys) };
}

/** The logger key that the page contains. */
export async function pageKey(shop: TestShop): Promise<LoggerKey> {
  const reply = await callRaw(`${shop.url}/config.json`);
  const { loggerKey } = SiteConfig.parse(reply.json()).gameInfo.customConfig;
  if (loggerKey === null) throw new Error('the page has no logger key');
  return loggerKey;
}

/** A time in UTC, in the format of the analytics tables. */
export function timeText(moment: number): string {
  return new Date(moment).toISOString().slice(0, 19).replace('T', ' ');
}

/** A page view of three seconds, unless changed. */
export function givenEvent(changes: object = {}): LogEvent & Record<string, unknown> {
  return {
    id: randomUUID(),
    n: 'web_payment_page_stay',
    i: 1,
    t: timeText(Date.now()),
    p: { page: '/main/recharge', page_duration: 3_000 },
    ...changes,
  };
}

export function givenBatch(
  { kid, did }: Pick<LoggerKey, 'kid' | 'did'>,
  events: readonly unknown[],
  changes: object = {},
): LogBatch & Record<string, unknown> {
  return {
    v: 1,
    kid,
    brandId: 'omni',
    gameId: 'solmere',
    did,
    sid: randomUUID(),
    seq: 0,
    sent_at: Date.now(),
    offset_ms: 0,
    env: ['android', 'webview'],
    lng: 'en-US',
    events: [...events],
    ...changes,
  };
}

/** Signs a batch as a browser does. */
export function sign(batch: LogBatch, { key }: Pick<LoggerKey, 'key'>): string {
  const body = JSON.stringify(batch);
  const { kid } = batch;
  const sig = createHmac('sha256', Buffer.from(key, 'hex'))
    .update(`v1\n${kid}\n${batch.sent_at}\n${body}`)
    .digest('hex');
  return JSON.stringify({ kid, sig, body });
}

/** Sends a batch with sendBeacon, as a closing page does. */
export async function beacon(
  shop: Pick<TestShop, 'url'>,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<RawReply> {
  return await callRaw(`${shop.url}/api/log/collect`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain;charset=UTF-8', ...headers },
    body,
  });
}
