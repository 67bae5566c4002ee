import { performance } from 'node:perf_hooks';
import { createOrder, orderDetail, orderList } from '@pointgate/contract/orders.ts';
import { type Activity, repeatUntilStopped } from './activity.ts';
import { pause } from './pause.ts';
import type { Player } from './players.ts';
import { callOrThrow } from './shop.ts';

/**
 * Players who list their orders, view one and place one, while the duration of each call is
 * measured.
 */
export interface Watched extends Activity {
  /** Returns median, 99th percentile and maximum in ms, and resets the measurement. */
  take(): { calls: number; median: number; p99: number; slowest: number };
}

export function watchCalls(players: readonly Player[]): Watched {
  let taken: number[] = [];
  const timed = async <T>(work: Promise<T>): Promise<T> => {
    const begun = performance.now();
    const result = await work;
    taken.push(performance.now() - begun);
    return result;
  };
  const works = players.map((player) => async () => {
    const all = { shown: null, kind: null, gameId: null, from: null, until: null, limit: 20 };
    const first = await timed(callOrThrow(player, orderList, { ...all, after: null }));
    if (first.nextAfter !== null) {
      await timed(callOrThrow(player, orderList, { ...all, after: first.nextAfter }));
    }
    const placed = await timed(
      callOrThrow(player, createOrder, {
        ...player.receiver,
        clientOrderId: crypto.randomUUID(),
        itemId: 'shards_60',
        quantity: 1,
        method: 'card',
      }),
    );
    await timed(callOrThrow(player, orderDetail, { paymentId: placed.paymentId }));
    await pause(50);
  });
  return {
    ...repeatUntilStopped(works),
    take: () => {
      const sorted = taken.toSorted((left, right) => left - right);
      taken = [];
      const at = (share: number) =>
        Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
      return { calls: sorted.length, median: at(0.5), p99: at(0.99), slowest: at(1) };
    },
  };
}
