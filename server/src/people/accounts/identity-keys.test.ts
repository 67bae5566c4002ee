import { accountTypes } from '@pointgate/contract/accounts.ts';
import { describe, expect, test } from 'vitest';
import { keyOfOpenIdentity, openIdentityKeys } from './identity-keys.ts';

const identityKeyOf = openIdentityKeys(Buffer.alloc(32, 1));
const phone = '+8613800138000';

describe('a phone number', () => {
  const { subject } = identityKeyOf({ accountType: 'MOBILE', subject: phone });

  test('cannot be read where it is found by', () => {
    expect(subject).toMatch(/^[\w-]{43}$/);
    // Three digits in a row can be chance; four are there in one of thousands.
    for (let at = 1; at + 4 <= phone.length; at += 1) {
      expect(subject).not.toContain(phone.slice(at, at + 4));
    }
  });

  test.each(['+86 138 0013 8000', '+86-138-0013-8000', '+86 (138) 0013.8000'])(
    'is the same in the spelling %s',
    (spelling) => {
      expect(identityKeyOf({ accountType: 'MOBILE', subject: spelling }).subject).toBe(subject);
    },
  );

  test('is another under another key, for another number and as an address', () => {
    const others = [
      openIdentityKeys(Buffer.alloc(32, 2))({ accountType: 'MOBILE', subject: phone }),
      identityKeyOf({ accountType: 'MOBILE', subject: '+8613800138001' }),
      identityKeyOf({ accountType: 'EMAIL', subject: phone }),
    ];
    expect(others.map((other) => other.subject)).not.toContain(subject);
  });
});

test('an address is the same in capitals, and cannot be read', () => {
  const { subject } = identityKeyOf({ accountType: 'EMAIL', subject: 'Mira@Example.com' });
  expect(identityKeyOf({ accountType: 'EMAIL', subject: 'mira@example.COM' }).subject).toBe(
    subject,
  );
  expect(subject).toMatch(/^[\w-]{43}$/);
});

test('a login name is kept as it is, in lower case', () => {
  const key = { accountType: 'ACCOUNT', subject: 'mira' };
  expect(identityKeyOf({ accountType: 'ACCOUNT', subject: 'Mira' })).toEqual(key);
  expect(keyOfOpenIdentity({ accountType: 'ACCOUNT', subject: 'MIRA' })).toEqual(key);
});

test('what a provider calls somebody is kept to the letter', () => {
  for (const accountType of accountTypes.filter((type) => /_|FACEBOOK|WECHAT/.test(type))) {
    const identity = { accountType, subject: 'oAbC.1-2 (3)' };
    expect(identityKeyOf(identity)).toEqual(identity);
  }
});
