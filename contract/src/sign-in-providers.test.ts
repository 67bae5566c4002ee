import { expect, test } from 'vitest';
import { accountTypes, login, loginMethods } from './accounts.ts';
import { Credentials } from './credentials.ts';
import { isReturningTo, providerMethods, signInProviders } from './sign-in-providers.ts';

test('each sign-in method and each account type has a name of its own', () => {
  expect(new Set(loginMethods).size).toBe(loginMethods.length);
  expect(new Set(accountTypes).size).toBe(accountTypes.length);
});

test.each(providerMethods)(
  'the login API accepts a code of %s and lists its account-not-found error exactly if that provider sends codes to the portal',
  (method) => {
    const state = 'a-state-of-sixteen';
    const type = isReturningTo(method, 'start') ? { type: 'WeChat' } : {};
    const isTaken = Credentials.safeParse({ method, ...type, code: 'a-code', state }).success;
    const refusals: readonly string[] = login.refusals;
    const isListed = refusals.includes(signInProviders[method].notFound);
    const isPosted = isReturningTo(method, 'form');
    expect([isTaken, isListed]).toEqual([!isPosted, !isPosted]);
  },
);
