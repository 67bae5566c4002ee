import { type LoggerKey, signedText } from '@pointgate/contract/analytics.ts';
import type { LogBatch } from '@pointgate/contract/log-events.ts';
import { serverAheadMs } from '../api/server-clock.ts';
import { renewKey } from './device.ts';
import { newEventId } from './event-ids.ts';
import { timeText } from './event-time.ts';
import { type Outgoing, openLogQueue } from './log-queue.ts';
import type { Batch, LogSession } from './log-session.ts';
import { beacon, type Outcome, post } from './log-transport.ts';
import { sign } from './signature.ts';
import type { TrackedEvent } from './track.ts';

export const tickMs = 10_000;
/** The number of attempts per batch. The delay after each failure is three times the last one. */
export const triesMax = 5;
const firstPauseMs = 5_000;

export interface LogSender {
  tell(event: TrackedEvent): void;
  /** Sends all queued events with sendBeacon, which outlives the page. */
  flush(): void;
  /** Requests the current signing key. */
  renew(): Promise<void>;
  close(): void;
}

interface SenderOptions {
  url: string;
  key: LoggerKey;
  session: LogSession;
  /** The origin fields of a batch at the moment of sending. */
  origin: () => Pick<LogBatch, 'brandId' | 'gameId' | 'env' | 'lng'>;
}

/** Sends events in batches, one at a time. Errors never reach the page. */
export function openLogSender({ url, session, origin, ...start }: SenderOptions): LogSender {
  let { key } = start;
  let pausedUntil = 0;
  const queue = openLogQueue(session);
  const renew = async () => {
    key = (await renewKey(key)) ?? key;
  };

  const send = async (batch: Outgoing, by: typeof post): Promise<Outcome> => {
    batch.isOut = true;
    const outcome = await seal(batch, { key, sid: session.sid(), ...origin() })
      .then((text) => by(url, text))
      .catch((): Outcome => 'lost');
    batch.isOut = false;
    if (outcome === 'taken' || outcome === 'refused') queue.settle(batch);
    return outcome;
  };

  const sendNext = async (): Promise<void> => {
    const batch = queue.first();
    const isPaused = performance.now() < pausedUntil || !navigator.onLine;
    if (batch === undefined || batch.isOut || isPaused) return;
    const outcome = await send(batch, post);
    if (outcome === 'unknown-key') await renew();
    if (outcome === 'lost' || outcome === 'unknown-key') {
      pausedUntil = performance.now() + firstPauseMs * 3 ** batch.failures;
      batch.failures += 1;
      if (batch.failures >= triesMax) queue.settle(batch);
    }
    await sendNext();
  };

  const tick = () => {
    queue.cut();
    void sendNext();
  };
  const goOnline = () => {
    pausedUntil = 0;
    tick();
  };
  const timer = setInterval(tick, tickMs);
  window.addEventListener('online', goOnline);
  tick();

  return {
    tell: ({ at, ...told }) => {
      const t = timeText(at + (serverAheadMs() ?? 0));
      queue.add({ ...told, id: newEventId(at), i: session.nextIndex(), t });
      if (queue.isBatchFull()) tick();
    },
    flush: () => {
      queue.cut();
      for (const batch of queue.notOut()) void send(batch, beacon);
    },
    renew,
    close: () => {
      clearInterval(timer);
      window.removeEventListener('online', goOnline);
    },
  };
}

type Sealing = Pick<LogBatch, 'brandId' | 'gameId' | 'env' | 'lng' | 'sid'> & { key: LoggerKey };

/** Signs a batch for the collector. A retry is signed again, because the sending time is signed. */
async function seal({ seq, events }: Batch, { key, ...from }: Sealing): Promise<string> {
  const { kid, did } = key;
  const clock = { sent_at: Date.now(), offset_ms: serverAheadMs() };
  const batch: LogBatch = { v: 1, kid, did, ...from, seq, ...clock, events };
  const body = JSON.stringify(batch);
  const sig = await sign(signedText({ kid, sentAt: clock.sent_at, body }), key.key);
  return JSON.stringify({ kid, sig, body });
}
