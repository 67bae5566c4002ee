import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Query } from '../../auditor/src/database.ts';
import type { Compared } from './compared.ts';
import { type Provider, read, readAll } from './outside.ts';

const Event = z.object({ eventId: z.string() });

/** The number of events of a shop with one million orders a year in a day and a half. */
const eventsMax = 10_000;

/**
 * I9: every acknowledged webhook is in the inbox. Only the latest events are checked; each was
 * acknowledged after its commit, and none is deleted within half a year.
 */
export async function compareEvents(query: Query, { psp, url }: Provider): Promise<Compared> {
  const Counts = z.object({ counts: z.object({ webhookDeliveries: z.int() }) });
  const { counts } = Counts.parse(await read(`${url}/__sandbox/records?limit=1`));
  const after = Math.max(0, counts.webhookDeliveries - eventsMax);
  const place = new URL(`${url}/__sandbox/acknowledged?after=${after}`);
  const acknowledged = await readAll(place, 'acknowledged', Event);
  const eventIds = [...new Set(acknowledged.map(({ eventId }) => eventId))];
  // Each was acknowledged before we asked, so it must be stored by now.
  const lost = await missingOf(query, psp, eventIds);
  return {
    checked: acknowledged.length,
    violations: lost.map((eventId) => `event ${eventId} was acknowledged and is not here`),
  };
}

async function missingOf(
  query: Query,
  psp: string,
  eventIds: readonly string[],
): Promise<string[]> {
  const rows = await query(
    `select told from unnest($1::text[]) as told
     -- One by one: all together are taken for so many that the whole table is read.
     where (select true from provider_inbox where psp = $2 and event_id = told) is null`,
    [eventIds, psp],
  );
  return rows.map(([eventId = '']) => eventId);
}

// Recorded acknowledgements, one line of JSON each.
const Acknowledgement = z.discriminatedUnion('what', [
  // The order of this intent, with its price.
  z.object({
    what: z.literal('placed'),
    accountId: z.string(),
    clientOrderId: z.string(),
    paymentId: z.string(),
    amountMinor: z.string(),
    currency: z.string(),
  }),
  // The payment page of an order at the provider.
  z.object({ what: z.literal('opened'), paymentId: z.string(), sessionId: z.string() }),
  // The provider charged the player for the order.
  z.object({ what: z.literal('charged'), paymentId: z.string() }),
  // The order was paid with points.
  z.object({ what: z.literal('spent'), paymentId: z.string(), points: z.string() }),
  // The order was not paid with points, because the balance was too low.
  z.object({ what: z.literal('unaffordable'), paymentId: z.string() }),
  // A refund of this amount was accepted, unless the provider refuses it.
  z.object({ what: z.literal('refunded'), paymentId: z.string(), refundId: z.string() }),
  // The status that the player saw.
  z.object({ what: z.literal('shown'), paymentId: z.string(), shown: z.string() }),
]);
export type Acknowledgement = z.output<typeof Acknowledgement>;

/** I9: every recorded acknowledgement is still true. Throws on a malformed line. */
export async function compareAcknowledgements(query: Query, file: string): Promise<Compared> {
  const acknowledgements: Acknowledgement[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (line !== '') acknowledgements.push(Acknowledgement.parse(JSON.parse(line)));
  }
  const orders = await ordersOf(query, new Set(acknowledgements.map(({ paymentId }) => paymentId)));
  const broken = acknowledgements.filter((one) => {
    const order = orders.get(one.paymentId);
    return order === undefined || !isStillTrue(one, order);
  });
  return {
    checked: acknowledgements.length,
    violations: [...new Set(broken.map((one) => `this is no longer so: ${JSON.stringify(one)}`))],
  };
}

interface OrderRecord {
  placed: string;
  state: string;
  wasPaid: boolean;
  hasArrived: boolean;
  sessions: string[];
  spends: string[];
  refunds: string[];
  /** Refunds that the provider refused. */
  failedRefunds: string[];
  /** Whether refunded money came back: a refund was returned, or a lost dispute was reinstated. */
  hasComeBack: boolean;
}

async function ordersOf(
  query: Query,
  paymentIds: ReadonlySet<string>,
): Promise<Map<string, OrderRecord>> {
  const settled = (outcome: string) =>
    `(select * from order_events where fact @> '{"type": "refund_settled", "outcome": "${outcome}"}') as found`;
  const list = (what: string, from: string, key = 'payment_id') => `
    array_to_string(array(select ${what} from ${from}
      where found.account_id = orders.account_id and found.${key} = orders.payment_id), ',')`;
  const rows = await query(
    `select payment_id, concat_ws(' ', account_id, amount_minor, currency), state,
            paid_at is not null, arrived_at is not null,
            ${list('client_order_id', 'order_keys as found')},
            ${list('psp_ref', 'payment_attempts as found')},
            ${list('-(basic_change + present_change)', `(select * from point_entries where kind = 'spend') as found`, 'origin_id')},
            ${list(`fact ->> 'refundId'`, settled('done'))},
            ${list(`fact ->> 'refundId'`, settled('failed'))},
            exists (select from order_events as found
              where found.account_id = orders.account_id and found.payment_id = orders.payment_id
                and (fact @> '{"type": "refund_settled", "outcome": "returned"}'
                  or fact @> '{"type": "disputed", "stage": "reinstated"}'))
     from orders where payment_id = any($1)`,
    [[...paymentIds]],
  );
  return new Map(
    rows.map(([paymentId = '', placed = '', state = '', paid, arrived, ...lists]) => {
      const [intent = '', sessions = '', spends = '', refunds = '', failed = '', back] = lists;
      const record = {
        placed: `${intent} ${placed}`,
        state,
        wasPaid: paid === 't',
        hasArrived: arrived === 't',
        sessions: sessions.split(','),
        spends: spends.split(','),
        refunds: refunds.split(','),
        failedRefunds: failed.split(','),
        hasComeBack: back === 't',
      };
      return [paymentId, record];
    }),
  );
}

function isStillTrue(acknowledgement: Acknowledgement, order: OrderRecord): boolean {
  switch (acknowledgement.what) {
    case 'placed': {
      const { clientOrderId, accountId, amountMinor, currency } = acknowledgement;
      return order.placed === [clientOrderId, accountId, amountMinor, currency].join(' ');
    }
    case 'opened':
      return order.sessions.includes(acknowledgement.sessionId);
    case 'charged':
      return order.wasPaid;
    case 'spent':
      return order.wasPaid && order.spends.join() === acknowledgement.points;
    case 'unaffordable':
      return !order.wasPaid && order.spends.join() === '';
    case 'refunded': {
      const times = order.refunds.filter(
        (refundId) => refundId === acknowledgement.refundId,
      ).length;
      return times === 1 || (times === 0 && order.failedRefunds.includes(acknowledgement.refundId));
    }
    case 'shown':
      return conditions[acknowledgement.shown]?.(order) ?? true;
  }
}

/** The conditions that stay true after an order was shown with this status. */
const conditions: Record<string, (order: OrderRecord) => boolean> = {
  Paid: ({ wasPaid }) => wasPaid,
  Fulfilled: ({ hasArrived }) => hasArrived,
  Refunded: ({ state, hasComeBack }) => state === 'refunded' || hasComeBack,
};
