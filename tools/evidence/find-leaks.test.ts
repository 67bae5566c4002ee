import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { findLeaks } from './find-leaks.ts';

const inLog = (text: string) => [{ name: 'log api', text }];
const formsIn = (text: string, value: string) =>
  findLeaks(inLog(text), [{ kind: 'a secret', value }]).map(({ form }) => form);

const phone = '8613800138000';
const password = 'Dämmer ung+58/x';

describe('encodings of a secret', () => {
  test.each([
    ['plain', phone, `{"to":"+${phone}"}`],
    ['plain', 'Mira@example.com', 'mail for mira@EXAMPLE.com'],
    ['url', password, `/login?password=${encodeURIComponent(password)}&x=1`],
    ['url', password, `/login?password=${encodeURIComponent(password).toLowerCase()}`],
    ['json', password, '{"password":"D\\u00e4mmer ung+58/x"}'],
    ['hex', phone, `(1,"\\\\x00${Buffer.from(phone).toString('hex')}ff")`],
    ['hex', phone, Buffer.from(phone).toString('hex').toUpperCase()],
    ['sha256', phone, createHash('sha256').update(phone).digest('hex')],
    ['sha256', phone, `name:${createHash('sha256').update(phone).digest('base64url')}`],
    ['sha256', phone, createHash('sha256').update(phone).digest('base64')],
  ] as const)(
    'the leak search finds a secret in the encoding %s: %s in %s',
    (form, value, text) => {
      expect(formsIn(text, value)).toEqual([form]);
    },
  );

  test.each(['', 'a', 'ab', 'abc', 'abcd'])(
    'the leak search finds a secret inside a longer base64 text after the prefix "%s"',
    (before) => {
      for (const value of [phone, password, '???>>>~~~ÿÿÿ']) {
        for (const form of ['base64', 'base64url'] as const) {
          const text = Buffer.from(`${before}${value}, and more`).toString(form);
          expect(formsIn(text, value)).toEqual(['base64']);
        }
      }
    },
  );
});

test('the leak search does not report the hash of a high-entropy secret', () => {
  const random = 'mT4yBq0vVqZ1c8l2m9xWJ3kR7sN5dPfGhUaEoIyLtKs';
  expect(formsIn(createHash('sha256').update(random).digest('hex'), random)).toEqual([]);
  expect(formsIn(`sid=${random}`, random)).toEqual(['plain']);
});

test('the leak search reports a leak once per place with kind and encoding, without the secret', () => {
  const places = [
    { name: 'log api', text: `${phone} ${phone}` },
    { name: 'table codes', text: 'nothing' },
    { name: 'redis', text: Buffer.from(phone).toString('hex') },
  ];
  const secrets = [
    { kind: 'a phone number', value: phone },
    { kind: 'a phone number', value: phone },
  ];
  expect(findLeaks(places, secrets)).toEqual([
    { place: 'log api', kind: 'a phone number', form: 'plain' },
    { place: 'redis', kind: 'a phone number', form: 'hex' },
  ]);
});

test('the leak search reports a secret everywhere except in the place where it is allowed', () => {
  const places = ['log seed', 'log api'].map((name) => ({ name, text: phone }));
  const secrets = [{ kind: 'a phone number', value: phone, allowedIn: 'log seed' }];
  expect(findLeaks(places, secrets)).toMatchObject([{ place: 'log api' }]);
});

describe('one-time codes', () => {
  test.each([
    'Your code is 104729.',
    '{"code":"104729"}',
    '{"code":104729}',
    '/reset?code=104729&by=phone',
    '(1,104729,"2026-11-15 10:00:00.5+00")',
    '104729',
  ])('the leak search finds a six-digit one-time code in %s', (text) => {
    expect(formsIn(text, '104729')).toEqual(['plain']);
  });

  test.each([
    '{"time":1794104729351}',
    '2026-11-15 10:00:00.104729+00',
    '0.104729',
    '018f0000-0000-7000-8000-000000104729',
    '\\x00104729ff',
    'pi_104729',
    '104729.5',
  ])(
    'the leak search does not take six digits within a longer value for a one-time code: %s',
    (text) => {
      expect(formsIn(text, '104729')).toEqual([]);
    },
  );
});
