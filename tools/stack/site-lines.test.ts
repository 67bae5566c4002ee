import { expect, test } from 'vitest';
import { siteAddresses } from './demo-games.ts';
import { addressLines } from './site-lines.ts';

test('the start of a stack prints each shop site with its title and URL on a line of its own', () => {
  const sites = [
    { siteId: 'solmere', title: 'Solmere', url: 'http://localhost:8080' },
    { siteId: 'omni', title: 'Omni', url: 'http://omni.localhost:8080' },
  ];
  expect(addressLines(sites)).toBe(
    '  Solmere  http://localhost:8080\n  Omni     http://omni.localhost:8080\n',
  );
  expect(addressLines([])).toBe('');
});

test('the other shop sites of a stack have subdomains of the first site at the same port', () => {
  expect(siteAddresses('http://localhost:8080')).toEqual([
    'http://localhost:8080',
    'http://lantern-court.localhost:8080',
    'http://neon-meridian.localhost:8080',
    'http://omni.localhost:8080',
  ]);
});
