import { createHmac } from 'node:crypto';
import { collectPath, type LoggerKey } from '@pointgate/contract/analytics.ts';
import { batchBytesMax, LogBatch, LogEnvelope, LogEvent } from '@pointgate/contract/log-events.ts';
import type { SiteConfig } from '@pointgate/contract/site-config.ts';
import { vi } from 'vitest';
import { siteConfig } from './shop.tsx';

export const pageKey: LoggerKey = {
  kid: 'k1',
  did: '01930000-0000-7000-8000-000000000001',
  key: 'd11f33bee0cc05357054e707fbc917bd5745013b7558dcde0566eb385de29b73',
};

/** The config of a site with a logger. */
export function siteWithLogger(changes: Partial<SiteConfig['gameInfo']['customConfig']> = {}) {
  const { gameInfo } = siteConfig;
  const logger = { loggerUrl: collectPath, loggerKey: pageKey, ...changes } as const;
  const customConfig = { ...gameInfo.customConfig, ...logger };
  return { ...siteConfig, gameInfo: { ...gameInfo, customConfig } };
}

/** Decodes a batch as the collector does; throws if the collector would refuse it. */
export function openBatch(text: string, key = pageKey) {
  const { kid, sig, body } = LogEnvelope.parse(JSON.parse(text));
  if (Buffer.byteLength(body) > batchBytesMax) throw new Error('The batch is too large.');
  const batch = LogBatch.parse(JSON.parse(body));
  const expected = createHmac('sha256', Buffer.from(key.key, 'hex'))
    .update(`v1\n${kid}\n${batch.sent_at}\n${body}`)
    .digest('hex');
  if (sig !== expected || kid !== batch.kid) throw new Error('The signature is wrong.');
  return { ...batch, events: batch.events.map((event) => LogEvent.parse(event)) };
}

/** Replaces navigator.sendBeacon. Returns the list of sent texts. */
export function givenBeacons(isTaken = () => true): string[] {
  const sent: string[] = [];
  navigator.sendBeacon = (_url, text) => {
    if (!isTaken()) return false;
    sent.push(String(text));
    return true;
  };
  return sent;
}

/** Hides or shows the tab. */
export function showPage(visibility: 'visible' | 'hidden'): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility);
  document.dispatchEvent(new Event('visibilitychange'));
}
