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
  ['names none', {}, 'card', 'stripe'],
  ['names one', { card: 'stripe-eu' }, 'card', 'stripe-eu'],
  ['names one for another method', { paypal: 'paypal-eu' }, 'card', 'stripe'],
  ["names the provider's own", { card: 'stripe' }, 'card', 'stripe'],
  ['names one that is not there', { card: 'stripe-us' }, 'card', undefined],
  ['names one with another provider', { card: 'paypal-eu' }, 'card', undefined],
  ['names none, and there is none', {}, 'paypal', undefined],
])('a site that %s is paid there, and nowhere else', (_what, contracts, method, contract) => {
  expect(contractAt(known, { contracts }, method)).toBe(contract);
});

test('an operator reads the name that a site has, although there is no such contract', () => {
  expect(contractNamed({ contracts: { card: 'stripe-us' } }, 'card')).toBe('stripe-us');
});

test('an account that was out is tried by one payment at a time, and the other by all', async () => {
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
