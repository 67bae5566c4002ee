import { z } from 'zod';
import { type Activity, repeatUntilStopped } from './activity.ts';
import { pause } from './pause.ts';
import type { Random } from './random.ts';
import { isRefused, type SandboxClient } from './sandbox-client.ts';

/** Banks, and a publisher's staff, who move money without a request of the shop. */
export interface ExternalActions extends Activity {
  /** The number of actions of each kind. */
  counts(): Readonly<Record<Action, number>>;
}

const actions = ['bounced', 'refundedElsewhere', 'disputed', 'won', 'lost'] as const;
type Action = (typeof actions)[number];

const Records = z.object({
  charges: z.array(z.object({ id: z.string(), payment_intent: z.string(), amount: z.int() })),
  refunds: z.array(z.object({ id: z.string(), status: z.string() })),
});

/**
 * Returns completed refunds, refunds on the provider's own pages, and opens disputes that are
 * decided a little later.
 */
export function startExternalActions(provider: SandboxClient, random: Random): ExternalActions {
  const counts: Record<Action, number> = {
    bounced: 0,
    refundedElsewhere: 0,
    disputed: 0,
    won: 0,
    lost: 0,
  };
  const open: string[] = [];
  const perform = async (action: Action, path: string, body: object) => {
    const reply = await provider.tell(path, body).catch((error: unknown) => {
      // Money that is refunded or disputed cannot be moved again; another payment is chosen next
      // time.
      if (isRefused(error)) return undefined;
      throw error;
    });
    if (reply !== undefined) counts[action] += 1;
    return reply;
  };
  const recent = async () => Records.parse(await provider.ask('/__sandbox/records?limit=200'));

  const decide = async () => {
    const id = open.shift();
    if (id === undefined) return;
    const stage = random.percent(50) ? 'won' : 'lost';
    await perform(stage, `/__sandbox/disputes/${id}`, { stage });
  };
  const randomActions: readonly (() => Promise<void>)[] = [
    async () => {
      const done = (await recent()).refunds.filter(({ status }) => status === 'succeeded');
      if (done.length === 0) return;
      const { id } = random.pick(done);
      await perform('bounced', `/__sandbox/refunds/${id}/settle`, { status: 'failed' });
    },
    async () => {
      const { charges } = await recent();
      if (charges.length === 0) return;
      const { payment_intent: paid, amount } = random.pick(charges);
      const part = random.percent(50) ? {} : { amount: 1 + random.below(amount) };
      await perform('refundedElsewhere', `/__sandbox/charges/${paid}/refund`, part);
    },
    async () => {
      const { charges } = await recent();
      if (charges.length === 0) return;
      const { payment_intent: paymentIntent } = random.pick(charges);
      const opened = await perform('disputed', '/__sandbox/disputes', {
        paymentIntent,
        stage: 'open',
      });
      if (opened !== undefined) open.push(z.object({ id: z.string() }).parse(opened).id);
    },
    decide,
  ];
  const decideAll = async () => {
    while (open.length > 0) await decide();
  };
  const work = async () => {
    await random.pick(randomActions)();
    await pause(300 + random.below(700));
  };
  const { stop, failure } = repeatUntilStopped([work]);
  return {
    failure,
    stop: async () => {
      await stop();
      await decideAll();
    },
    counts: () => counts,
  };
}
