import { inspect } from 'node:util';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { secret } from './redacted.ts';

test('a value marked as secret is readable only by calling reveal(), never in JSON, logs or string conversions', () => {
  const identityNumber = secret('110101200001011234');
  const lines: string[] = [];
  pino({ base: null }, { write: (line) => lines.push(line) }).info({
    identityNumber,
    deep: [identityNumber],
  });
  const told = [
    ...lines,
    JSON.stringify({ identityNumber }),
    `${identityNumber}`,
    inspect({ identityNumber }, { depth: 10, showHidden: true }),
    JSON.stringify({ ...identityNumber }),
    Object.values(identityNumber).map(String).join(),
  ];
  expect(told.filter((text) => text.includes('110101'))).toEqual([]);
  expect(JSON.stringify({ identityNumber })).toBe('{"identityNumber":"[redacted]"}');
  expect(identityNumber.reveal()).toBe('110101200001011234');
});
