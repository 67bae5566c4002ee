import { accountTypes } from '@pointgate/contract/accounts.ts';
import { describe, expect, test } from 'vitest';
import { keyOfOpenIdentity, openIdentityKeys } from './identity-keys.ts';

const identityKeyOf = openIdentityKeys(Buffer.alloc(32, 1));
const phone = '+8613800138000';

describe('phone numbers', () => {
  const { subject } = identityKeyOf({ accountType: 'MOBILE', subject: phone });

  test('a phone number cannot be read in the key under which the shop looks up its account (identity key)', () => {
    expect(subject).toMatch(/^[\w-]{43}$/);
    // Three digits can match by chance; four match in only one of thousands of keys.
    for (let at = 1; at + 4 <= phone.length; at += 1) {
      expect(subject).not.toContain(phone.slice(at, at + 4));
    }
  });

  test.each(['+86 138 0013 8000', '+86-138-0013-8000', '+86 (138) 0013.8000'])(
    'a phone number has the same account lookup key (identity key) in the spelling %s',
    (spelling) => {
      expect(identityKeyOf({ accountType: 'MOBILE', subject: spelling }).subject).toBe(subject);
    },
  );

  test('the account lookup key (identity key) of a phone number differs under another secret, for another number and as a mail address', () => {
    const others = [
      openIdentityKeys(Buffer.alloc(32, 2))({ accountType: 'MOBILE', subject: phone }),
      identityKeyOf({ accountType: 'MOBILE', subject: '+8613800138001' }),
      identityKeyOf({ accountType: 'EMAIL', subject: phone }),
    ];
    expect(others.map((other) => other.subject)).not.toContain(subject);
  });
});

test('a mail address has the same unreadable account lookup key (identity key) in upper and lower case', () => {
  const { subject } = identityKeyOf({ accountType: 'EMAIL', subject: 'Mira@Example.com' });
  expect(identityKeyOf({ accountType: 'EMAIL', subject: 'mira@example.COM' }).subject).toBe(
    subject,
  );
  expect(subject).toMatch(/^[\w-]{43}$/);
});

test('the key under which the shop looks up an account by login name (identity key) is the login name in lower case', () => {
  const key = { accountType: 'ACCOUNT', subject: 'mira' };
  expect(identityKeyOf({ accountType: 'ACCOUNT', subject: 'Mira' })).toEqual(key);
  expect(keyOfOpenIdentity({ accountType: 'ACCOUNT', subject: 'MIRA' })).toEqual(key);
});

test('the key under which the shop looks up an account by its user id at a sign-in provider (identity key) is that id unchanged', () => {
  for (const accountType of accountTypes.filter((type) => /_|FACEBOOK|WECHAT/.test(type))) {
    const identity = { accountType, subject: 'oAbC.1-2 (3)' };
    expect(identityKeyOf(identity)).toEqual(identity);
  }
});
