import { expect, test } from 'vitest';
import { codeOf, masked } from './outcome.ts';

test.each([
  ['aveline.lumen@mail.test', 'a***@mail.test'],
  ['a@mail.test', 'a***@mail.test'],
  ['+8613800138000', '+86***00'],
  ['+1234567', '+12***67'],
  ['+12345', '***'],
  ['', '***'],
])('the log masks the recipient "%s" of a mail or text message as "%s"', (recipient, shown) => {
  expect(masked(recipient)).toBe(shown);
});

test('the log line of a failed mail or text message gives the cause as an error code or error name, never as free text', () => {
  const withCode = (code: unknown) => Object.assign(new TypeError('to +4915201234567'), { code });
  expect(codeOf(withCode(21211))).toBe('21211');
  expect(codeOf(withCode('FailedOperation.PhoneNumberInBlacklist'))).toBe(
    'FailedOperation.PhoneNumberInBlacklist',
  );
  expect(codeOf(withCode('to +4915201234567'))).toBe('TypeError');
  expect(codeOf(withCode(undefined))).toBe('TypeError');
  expect(codeOf(Object.assign(new Error(), { status: 502 }))).toBe('HTTP 502');
  expect(codeOf(Object.assign(new Error(), { httpCode: 500, code: '' }))).toBe('HTTP 500');
  expect(codeOf(new RangeError('493817'))).toBe('RangeError');
  expect(codeOf('493817')).toBe('unknown');
});
