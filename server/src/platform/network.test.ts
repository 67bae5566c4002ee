import { expect, test } from 'vitest';
import { networkOf } from './network.ts';

test.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['203.0.113.255', '203.0.113.0/24'],
  ['::ffff:203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:7:1::9', '2001:db8:7::/48'],
  ['2001:0DB8:0007:ffff:1:2:3:4', '2001:db8:7::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0::/48'],
])('the IP address %s belongs to the client network %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('an IPv4 address of another /24 block, or an IPv6 address of another /48 block, is in another client network', () => {
  expect(networkOf('203.0.113.7')).not.toBe(networkOf('203.0.114.7'));
  expect(networkOf('2001:db8:7::1')).not.toBe(networkOf('2001:db8:8::1'));
});

test('the client network of a value that is not an IP address cannot be determined and throws an error', () => {
  expect(() => networkOf('unknown')).toThrow('without an address');
});
