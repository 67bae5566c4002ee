import type { Endpoint } from '@pointgate/contract/endpoint.ts';
import { repeatUntilStopped } from './activity.ts';
import { pointsOf } from './balance.ts';
import { type Call, call, type Outcome } from './call.ts';
import { pause } from './pause.ts';
import type { Player } from './players.ts';

/** Sends calls concurrently, alternating between the apis. */
export async function atOnce<E extends Endpoint>(
  count: number,
  { apis, cookie }: Player,
  endpoint: E,
  bodyOf: (index: number) => Call<E>['body'],
): Promise<Outcome<E>[]> {
  return await Promise.all(
    Array.from({ length: count }, (_, index) =>
      call({ api: apis[index % apis.length] ?? '', endpoint, body: bodyOf(index), cookie }),
    ),
  );
}

/**
 * The number of outcomes of each kind: `done`, a refusal code, or the reason why it is unclear.
 */
export function tally(outcomes: readonly Outcome<Endpoint>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) {
    const name =
      outcome.kind === 'done' ? 'done' : outcome.kind === 'refused' ? outcome.code : outcome.why;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** The distinct response bodies, byte for byte. */
export function textsOf(outcomes: readonly Outcome<Endpoint>[]): string[] {
  const texts = outcomes.map((outcome) =>
    outcome.kind === 'unclear' ? outcome.why : outcome.text,
  );
  return [...new Set(texts)];
}

/** Polls balances until the returned function is called, which returns the lowest balance seen. */
export function watchPoints(players: readonly Player[]): () => Promise<number> {
  let fewest = Number.POSITIVE_INFINITY;
  const watching = repeatUntilStopped(
    players.map((player) => async () => {
      const { basicNum, presentNum } = await pointsOf(player);
      fewest = Math.min(fewest, basicNum, presentNum);
      await pause(20);
    }),
  );
  return async () => {
    await watching.stop();
    return fewest;
  };
}
