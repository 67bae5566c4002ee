import { expect, test } from 'vitest';
import { book } from './movements.ts';
import { createProvider } from './provider.ts';
import { settlementParts } from './settlement.ts';

const params = {
  interval_start: 0,
  interval_end: 9_999_999_999,
  columns: ['balance_transaction_id'],
  currency: null,
  reporting_category: null,
};

test('a settlement file that the Stripe sandbox writes in parts has each line once, and no line booked after it was begun', () => {
  const provider = givenProvider();
  const booked = Array.from({ length: 4500 }, () => bookOne(provider));
  const [head, ...parts] = partsWhile(provider, () => bookOne(provider));

  expect(head).toBe('"balance_transaction_id"\n');
  expect(parts.filter((part) => part !== '')).toHaveLength(3);
  const lines = parts.join('').trim().split('\n');
  expect(lines).toEqual(booked.map((id) => `"${id}"`));
});

/** The parts of a file; `meanwhile` runs before each part except the first two. */
function partsWhile(provider: Provider, meanwhile: () => void): string[] {
  const parts: string[] = [];
  for (const part of settlementParts(provider, params)) {
    parts.push(part);
    if (parts.length > 1) meanwhile();
  }
  return parts;
}

type Provider = ReturnType<typeof givenProvider>;

function givenProvider() {
  const provider = createProvider(
    {
      secretKey: 'sk_test_sandbox_key',
      webhookSecret: 'whsec_sandbox_secret',
      webhookUrl: undefined,
      webhookRetryBaseMs: 1000,
      webhookTimeoutMs: 1000,
      dataFile: undefined,
      publicUrl: undefined,
    },
    () => 'http://127.0.0.1:9',
  );
  provider.db.run(
    `insert into payment_intents values ('pi_1', 1, 499, 'usd', 'succeeded', '{}', null)`,
  );
  provider.db.run(
    `insert into charges (id, created, payment_intent, amount, currency, metadata)
     values ('ch_1', 1, 'pi_1', 499, 'usd', '{}')`,
  );
  return provider;
}

function bookOne(provider: Provider): string {
  const entry = { amount: 499, currency: 'usd', source: 'ch_1', charge: 'ch_1' };
  return book(provider, 'charge', entry);
}
