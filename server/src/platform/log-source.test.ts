import { expect, test } from 'vitest';
import { sourceOf } from './log-source.ts';

test.each([
  ['address', '203.0.113.77', { source: '203.0.113.77' }],
  ['network', '203.0.113.77', { source: '203.0.113.0/24' }],
  ['network', '2001:db8:1:2::3', { source: '2001:db8:1::/48' }],
  ['none', '203.0.113.77', {}],
] as const)(
  'the request log, configured to record the caller as %s, writes for the IP address %s the field %o',
  (form, address, said) => {
    expect(sourceOf(address, form)).toEqual(said);
  },
);
