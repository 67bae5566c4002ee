import { expect, test } from 'vitest';
import { siteAddresses } from './demo-games.ts';
import { addressLines } from './site-lines.ts';

test('each site is printed with its title and address on a line of its own', () => {
  const sites = [
    { siteId: 'solmere', title: 'Solmere', url: 'http://localhost:8080' },
    { siteId: 'omni', title: 'Omni', url: 'http://omni.localhost:8080' },
  ];
  expect(addressLines(sites)).toBe(
    '  Solmere  http://localhost:8080\n  Omni     http://omni.localhost:8080\n',
  );
  expect(addressLines([])).toBe('');
});

test('the other sites have subdomains of the first site at the same port', () => {
  expect(siteAddresses('http://localhost:8080')).toEqual([
    'http://localhost:8080',
    'http://lantern-court.localhost:8080',
    'http://neon-meridian.localhost:8080',
    'http://omni.localhost:8080',
  ]);
});
