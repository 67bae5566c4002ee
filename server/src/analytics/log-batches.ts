import { batchBytesMax, LogBatch, LogEnvelope } from '@pointgate/contract/log-events.ts';
import { aheadMsMax, behindMsMax } from './log-events.ts';
import { type MasterKey, verify } from './logger-keys.ts';
import { looksPrivate } from './private-values.ts';

export type BatchRefusal =
  | 'malformed'
  | 'too_large'
  | 'wrong_key'
  | 'wrong_signature'
  | 'wrong_site'
  | 'stale'
  | 'future';

type ReadBatch = { batch: LogBatch } | { refusal: BatchRefusal };

/**
 * Verifies and parses a batch, or returns the reason for its refusal. Does not check the events in
 * it.
 */
export function readBatch(
  bytes: Buffer,
  of: { masters: readonly MasterKey[]; siteId: string; brandId: string; nowMs: number },
): ReadBatch {
  const envelope = LogEnvelope.safeParse(parseJson(bytes.toString('utf8')));
  if (!envelope.success) return { refusal: 'malformed' };
  const { kid, sig, body } = envelope.data;
  if (Buffer.byteLength(body) > batchBytesMax) return { refusal: 'too_large' };
  // Parsed before the signature check, because it names the device whose key verifies it.
  const read = LogBatch.safeParse(parseJson(body));
  if (!read.success || read.data.kid !== kid) return { refusal: 'malformed' };
  const { data: batch } = read;
  const { siteId } = of;
  const sentAt = batch.sent_at;
  const verdict = verify(of.masters, { siteId, did: batch.did, kid, sentAt, body, sig });
  if (verdict !== 'ok') return { refusal: verdict };
  if (batch.brandId !== of.brandId) return { refusal: 'wrong_site' };
  if (looksPrivate(batch.gameId)) return { refusal: 'malformed' };
  const ageMs = of.nowMs - (sentAt + (batch.offset_ms ?? 0));
  if (ageMs > behindMsMax) return { refusal: 'stale' };
  if (ageMs < -aheadMsMax) return { refusal: 'future' };
  return { batch };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
