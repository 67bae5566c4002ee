// Most orders are plain: placed and left, or paid once and delivered at the first try or the second.
// What such an order has in each table follows from its own row and from that of its payment. So both
// bring, as numbers below zero, what the other tables should hold, and those bring, above zero, what
// they do. Over all plain orders that adds up to nothing. The numbers are hashes that begin with a
// secret of this run: nobody can prepare rows whose numbers cancel out. A row that no plain order has
// brings a one, which nothing takes away.

import { isOfGift } from './gifts.ts';
import { hash, hashNumbers } from './hash.ts';
import { isLeg } from './legs.ts';

/** What one row of a table brings, as SQL. */
export interface Numbered {
  from: string;
  /** Where the order's id stands. */
  key: string;
  number: string;
}

/** Nothing has happened to its money but what its own row says. */
const isUntouched = 'refunded_minor = 0 and not is_disputed and review_reason is null';

/** A fourth event is a second try, unless somebody was told of it: then it may be a bank's warning. */
const isTold = 'payment_id in (select payment_id from cases where payment_id is not null)';

/** An order that is gone through by itself. */
export const isNotPlain = `(case state
    when 'arrived' then version <> 3 and (version <> 4 or kind = 'points' or ${isTold})
    when 'closed' then version <> 1 and version <> 3
    when 'created' then version <> 0
    when 'paying' then version <> 1
    else true end or not (${isUntouched}))`;

export function numbersOf(seed: number): Numbered[] {
  const payment_id = 'payment_id';
  const origin_id = 'origin_id';
  return [
    { from: 'orders', key: payment_id, number: ofOrder(seed) },
    { from: 'order_keys', key: payment_id, number: known('key', seed) },
    { from: 'order_events', key: payment_id, number: ofEvent(seed) },
    { from: 'payment_attempts', key: payment_id, number: ofAttempt(seed) },
    { from: 'deliveries', key: payment_id, number: ofDelivery(seed) },
    { from: 'refunds', key: payment_id, number: '1' },
    { from: 'revocations', key: payment_id, number: '1' },
    { from: 'ledger_transfers', key: origin_id, number: ofTransfer(seed) },
    { from: 'point_entries', key: origin_id, number: ofEntry(seed) },
    { from: 'top_up_steps', key: origin_id, number: ofStep(seed) },
  ];
}

/** So small that a handful of them can be added up without leaving 32 bits. */
function small(hashed: string): string {
  return `(${hashed} & 67108863)::int`;
}

/** The same for every plain order; PostgreSQL reckons it once. */
function known(what: string, seed: number): string {
  return small(start(what, seed));
}

function start(what: string, seed: number): string {
  return hash(`${seed}`, `'${what}'`);
}

/** An amount in its unit. What is about the same amount takes it so many times. */
const money = (seed: number, unit: string) =>
  small(hashNumbers(hash(`${seed}`, unit), 'amount_minor'));
const times = { asked: 1, booked: 3, sold: 5 };

// The events that a plain order has.
const moves = {
  opened: `seq = 1 and state_before = 'created' and state_after = 'paying'`,
  captured: `seq = 2 and state_before = 'paying' and state_after = 'paid'`,
  ended: `seq = 2 and state_before = 'paying' and state_after = 'created'`,
  failed: `seq = 3 and state_before = 'paid' and state_after = 'paid'`,
  delivered: `(seq = 3 or seq = 4) and state_before = 'paid' and state_after = 'arrived'`,
  expired: `(seq = 1 or seq = 3) and state_before = 'created' and state_after = 'closed'`,
};

/** An event is known by its key: the table refuses one that does not say the same as the fact. */
function ofEvent(seed: number): string {
  const key = said(seed, 'fact_key');
  return `case
    when ${moves.opened} then ${key}
    when ${moves.captured} then ${shares.captured} * ${key}
    when ${moves.delivered} and fact_key = 'delivered' then seq * ${known('delivered', seed)}
    when ${moves.expired} and fact_key = 'expired' then seq * ${known('expired', seed)}
    when ${moves.ended} then ${shares.ended} * ${key}
    when ${moves.failed} and fact_key = 'delivery_failed:1' then ${known('failed', seed)}
    else 1 end`;
}

/** So that no event takes the place of another. */
const shares = { captured: 2, ended: 4 };

function said(seed: number, key: string): string {
  return small(hash(start('said', seed), key));
}

function ofTransfer(seed: number): string {
  const sum = money(seed, 'unit');
  return `case
    when debit_book = 'house:psp' and credit_book = 'player:deposit'
      then ${booked(seed, 'posting')} + ${times.booked} * ${sum}
    when debit_book = 'player:deposit' and credit_book = 'house:sales'
      then ${sold(seed, 'posting')} + ${times.sold} * ${sum}
    -- The wallet's side of a movement of points is held against the wallet's own statement.
    when ${isLeg} then 0
    else 1 end`;
}

function booked(seed: number, posting: string): string {
  return small(hash(start('booked', seed), posting));
}

/** The posting says which event made the sale. */
function sold(seed: number, posting: string): string {
  return small(hash(start('sold', seed), posting));
}

function ofDelivery(seed: number): string {
  return `case when state = 'delivered' and tries between 1 and 2 and round = 1 and next_try_at is null
    and promise_at is null then tries * ${known('brought', seed)} else 1 end`;
}

/** Points end by themselves or are given, and no order has done anything for it. */
function ofEntry(seed: number): string {
  const granted = hashNumbers(start('granted', seed), 'basic_change', 'present_change');
  const spent = hashNumbers(start('spent', seed), 'basic_change + present_change');
  return `case
    when kind = 'top_up' and posting = 'top_up' then ${small(granted)}
    when kind = 'spend' and posting = 'spend' then ${small(spent)}
    when kind = 'expiry' or ${isOfGift} then 0
    else 1 end`;
}

function ofStep(seed: number): string {
  const points = ['basic_granted', 'present_granted', 'basic_kept', 'present_kept'];
  const kept = hashNumbers(start('step', seed), ...points);
  return `case when step = 1 and posting = 'top_up' and present_claimed = 0 and present_owed = 0
    then ${small(kept)} when ${isOfGift} then 0 else 1 end`;
}

/** A payment's own part, and what has to be in the history and the ledger for it. */
function ofAttempt(seed: number): string {
  const sum = money(seed, 'currency');
  const opened = said(seed, 'opened_key');
  const captured = said(seed, 'captured_key');
  const ended = said(seed, `'attempt_' || state || ':' || attempt_id`);
  const credit = booked(seed, `'captured:' || capture_id`);
  const paid = `${opened} - ${shares.captured} * ${captured}`;
  const { asked } = times;
  const inMoney = asked - times.booked;
  // Only points are paid with what is in the wallet.
  return `coalesce(case
    when (psp = 'epoint') <> (currency = 'EPOINT') then 1
    when state = 'captured' and psp = 'epoint' then ${asked} * ${sum} - ${paid}
    when state = 'captured' then ${inMoney} * ${sum} - ${paid} - ${credit}
    when state = 'closed' or state = 'declined'
      then ${asked} * ${sum} - ${opened} - ${shares.ended} * ${ended}
    else ${asked} * ${sum} - ${opened} end, 1)`;
}

function ofOrder(seed: number): string {
  const key = known('key', seed);
  const sum = money(seed, 'currency');
  const paid = `${times.asked} * ${sum}`;
  // One that is gone through by itself brings nothing but that it has an intent.
  return `case
    when ${isNotPlain} then -${key}
    when state = 'arrived' and closed_reason is null and paid_at is not null and arrived_at is not null
      then -${key} - ${times.asked + times.sold} * ${sum} - version * ${known('delivered', seed)}
           - ${goods(seed)} - case version when 3 then ${sold(seed, `'sale:3'`)}
                              else ${sold(seed, `'sale:4'`)} + ${known('failed', seed)} end
    when paid_at is not null or arrived_at is not null
      or (state = 'closed') <> (closed_reason is not null) then 1
    when state = 'closed' and version = 1 then -${key} - ${known('expired', seed)}
    when state = 'closed' then -${key} - ${paid} - 3 * ${known('expired', seed)}
    when state = 'created' then -${key}
    when state = 'paying' then -${key} - ${paid}
    else 1 end`;
}

/** Items leave a delivery behind with its tries, and a spend if paid in points; points a top-up. */
function goods(seed: number): string {
  const points = ['pack_quantity * pack_count', 'gift_quantity * pack_count'];
  const brought = `(version - 2) * ${known('brought', seed)}`;
  const spent = small(hashNumbers(start('spent', seed), '-amount_minor'));
  const granted = small(hashNumbers(start('granted', seed), ...points));
  const step = small(hashNumbers(start('step', seed), ...points, ...points));
  return `case
    when kind = 'points' then ${granted} + ${step}
    when currency = 'EPOINT' then ${brought} + ${spent}
    else ${brought} end`;
}
