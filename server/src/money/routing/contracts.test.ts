import { expect, test } from 'vitest';
import { log } from '../../platform/log.ts';
import { openSharedValues } from '../../platform/shared-values.ts';
import type { Site } from '../../publisher/sites/sites.ts';
import type { MoneyMethod } from '../psp/methods.ts';
import { contractAt, contractNamed, type KnownContracts } from './contracts.ts';
import { openProviderHealth } from './provider-health.ts';
import { takeTurn } from './routing.ts';

const known: KnownContracts = new Map([
  ['stripe', { provider: 'stripe' }],
  ['stripe-eu', { provider: 'stripe' }],
  ['paypal-eu', { provider: 'paypal' }],
]);

test.each<[string, Site['contracts'], MoneyMethod, string | undefined]>([
  ['names no contract is paid through the default contract', {}, 'card', 'stripe'],
  ['names a contract is paid through that contract', { card: 'stripe-eu' }, 'card', 'stripe-eu'],
  [
    'names a merchant account for another method is paid through the default account',
    { paypal: 'paypal-eu' },
    'card',
    'stripe',
  ],
  ['names the default merchant account is paid through it', { card: 'stripe' }, 'card', 'stripe'],
  ['names an unknown contract is paid through none', { card: 'stripe-us' }, 'card', undefined],
  [
    'names a merchant account of another provider is paid through none',
    { card: 'paypal-eu' },
    'card',
    undefined,
  ],
  ['names no contract of a provider without one is paid through none', {}, 'paypal', undefined],
])(
  'the settings of a site decide through which merchant account it is paid: a site that %s',
  (_what, contracts, method, contract) => {
    expect(contractAt(known, { contracts }, method)).toBe(contract);
  },
);

test("the merchant account name in a site's settings is reported even if no such merchant account is configured", () => {
  expect(contractNamed({ contracts: { card: 'stripe-us' } }, 'card')).toBe('stripe-us');
});

test('a failing merchant account gets one trial payment at a time while another account with the same provider takes all its payments', async () => {
  log.level = 'silent';
  const values = openSharedValues({ redisUrl: undefined, prefix: 'test:', keepMs: 60_000 });
  let now = 0;
  const health = openProviderHealth(values, () => now);
  const silence = { begunAt: 0, endedAt: 0, isAnswered: false, isFirst: true };
  for (let calls = 0; calls < 5; calls += 1) await health.told('stripe-eu', silence);
  now += 31_000;
  const turns = (contracts: Site['contracts']) =>
    Promise.allSettled([1, 2, 3].map(() => takeTurn({ health }, 'card', { contracts })));
  const taken = async (contracts: Site['contracts']) =>
    (await turns(contracts)).filter(({ status }) => status === 'fulfilled').length;
  expect(await taken({ card: 'stripe-eu' })).toBe(1);
  expect(await taken({})).toBe(3);
});
