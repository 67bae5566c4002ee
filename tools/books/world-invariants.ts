import type pg from 'pg';
import { z } from 'zod';
import type { Finding } from './report.ts';

// What the shop says, held against what the provider and the game remember.

const Charges = z.object({
  counts: z.object({ charges: z.int() }),
  charges: z.array(
    z.object({
      id: z.string(),
      payment_intent: z.string(),
      amount: z.int(),
      currency: z.string(),
      created: z.int(),
      metadata: z.object({ paymentId: z.string().optional() }),
    }),
  ),
});
type Charge = z.output<typeof Charges>['charges'][number];

const Grants = z.object({
  counts: z.object({ grants: z.int() }),
  grants: z.array(
    z.object({
      paymentId: z.string(),
      gameId: z.string(),
      gameAccountId: z.string(),
      serverId: z.string(),
      roleId: z.string(),
      sku: z.string(),
      quantity: z.int(),
      at: z.iso.datetime(),
    }),
  ),
});
type Grant = z.output<typeof Grants>['grants'][number];

interface Posting {
  payment_id: string;
  capture_id: string;
  amount_minor: string;
  unit: string;
}

interface Sold {
  payment_id: string;
  state: string;
  game_id: string;
  game_account_id: string;
  server_id: string;
  role_id: string;
  sku: string;
  quantity: string;
}

// A webhook may be on its way; polling finds its payment well within this time.
const patienceMs = 2 * 60_000;

export async function checkWorld(
  database: pg.Client,
  world: { stripe: string; game: string },
  nowMs: number,
): Promise<Finding[]> {
  const provider = Charges.parse(await read(`${world.stripe}/__sandbox/records?limit=100000`));
  const game = Grants.parse(await read(`${world.game}/__sandbox/records?limit=100000`));
  if (
    provider.charges.length < provider.counts.charges ||
    game.grants.length < game.counts.grants
  ) {
    throw new Error('The sandbox remembers more than it tells at once.');
  }
  // When a provider gave a capture a larger amount later, the difference has a posting of its own,
  // which goes on after the capture's id with attempt, currency and amount.
  const postings = await database.query<Posting>(`
    select account_id, origin_id as payment_id, unit, sum(amount_minor) as amount_minor,
           regexp_replace(substr(posting, 10), ':[0-9a-f-]{36}:[A-Z]{3}:[0-9]+$', '') as capture_id
    from ledger_transfers where posting like 'captured:%'
    group by account_id, origin_id, unit, capture_id`);
  const sold = await database.query<Sold>(`
    select payment_id, state, game_id, game_account_id, server_id, role_id,
           snapshot ->> 'sku' as sku,
           (((snapshot ->> 'quantity')::bigint + (snapshot ->> 'giftQuantity')::bigint) * pack_count)
             as quantity
    from orders`);
  return [
    {
      id: 'I3',
      claim: 'every charge at the provider is one credit of one order, and every credit a charge',
      checked: provider.charges.length,
      violations: compareCaptures(provider.charges, postings.rows, nowMs),
    },
    {
      id: 'I6',
      claim: 'the game gave each order what it bought, to whom it was for, once, and only if paid',
      checked: game.grants.length,
      violations: compareGrants(game.grants, sold.rows, nowMs),
    },
  ];
}

function compareCaptures(
  charges: readonly Charge[],
  postings: readonly Posting[],
  nowMs: number,
): string[] {
  const violations: string[] = [];
  const credits = Map.groupBy(postings, ({ capture_id }) => capture_id);
  const captured = new Set(charges.map(({ payment_intent }) => payment_intent));
  for (const charge of charges) {
    const found = credits.get(charge.payment_intent) ?? [];
    const [credit] = found;
    if (credit === undefined) {
      const isUnderWay = nowMs - charge.created * 1000 < patienceMs;
      if (!isUnderWay) violations.push(`charge ${charge.id} has no credit`);
    } else if (found.length > 1) {
      violations.push(`charge ${charge.id} was credited ${found.length} times`);
    } else if (!isSameMoney(charge, credit)) {
      violations.push(
        `charge ${charge.id} is ${charge.amount} ${charge.currency}, ` +
          `its credit ${credit.amount_minor} ${credit.unit}`,
      );
    } else if (charge.metadata.paymentId !== credit.payment_id) {
      violations.push(`charge ${charge.id} was credited to order ${credit.payment_id}`);
    }
  }
  for (const [captureId, found] of credits) {
    if (!captured.has(captureId)) {
      violations.push(`order ${found[0]?.payment_id} has a credit without a charge, ${captureId}`);
    }
  }
  return violations;
}

function compareGrants(grants: readonly Grant[], sold: readonly Sold[], nowMs: number): string[] {
  const violations: string[] = [];
  const orders = new Map(sold.map((order) => [order.payment_id, order]));
  const byOrder = Map.groupBy(grants, ({ paymentId }) => paymentId);
  for (const [paymentId, given] of byOrder) {
    const order = orders.get(paymentId);
    const [grant] = given;
    if (grant === undefined) continue;
    // The game is asked after the tables were read, and answers before an order can arrive.
    const isUnderWay = nowMs - Date.parse(grant.at) < patienceMs;
    if (given.length > 1) violations.push(`order ${paymentId} was given ${given.length} times`);
    else if (order === undefined) {
      if (!isUnderWay) violations.push(`the game gave for ${paymentId}, which is no order`);
    } else if (!isSameGoods(grant, order)) {
      violations.push(`order ${paymentId} sold ${order.quantity} and gave ${grant.quantity}`);
    } else if (receiverOf(grant) !== buyerOf(order)) {
      violations.push(
        `order ${paymentId} was for ${buyerOf(order)}, the game gave to ${receiverOf(grant)}`,
      );
    } else if (order.state !== 'arrived' && !isUnderWay) {
      violations.push(`order ${paymentId} was given and is ${order.state}`);
    }
  }
  for (const order of sold) {
    if (order.state === 'arrived' && !byOrder.has(order.payment_id)) {
      violations.push(`order ${order.payment_id} is shown as arrived, the game gave nothing`);
    }
  }
  return violations;
}

function isSameMoney(charge: Charge, credit: Posting): boolean {
  return (
    BigInt(credit.amount_minor) === BigInt(charge.amount) &&
    credit.unit === charge.currency.toUpperCase()
  );
}

function isSameGoods(grant: Grant, order: Sold): boolean {
  return grant.sku === order.sku && BigInt(grant.quantity) === BigInt(order.quantity);
}

function buyerOf({ game_id, game_account_id, server_id, role_id }: Sold): string {
  return [game_id, game_account_id, server_id, role_id].join(' / ');
}

function receiverOf({ gameId, gameAccountId, serverId, roleId }: Grant): string {
  return [gameId, gameAccountId, serverId, roleId].join(' / ');
}

async function read(url: string): Promise<unknown> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return await response.json();
}
