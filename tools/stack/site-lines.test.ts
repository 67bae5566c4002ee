import { expect, test } from 'vitest';
import { siteAddresses } from './demo-games.ts';
import { addressLines } from './site-lines.ts';

test('every site is told with its address, one below the other', () => {
  const sites = [
    { siteId: 'solmere', title: 'Solmere', url: 'http://localhost:8080' },
    { siteId: 'omni', title: 'Omni', url: 'http://omni.localhost:8080' },
  ];
  expect(addressLines(sites)).toBe(
    '  Solmere  http://localhost:8080\n  Omni     http://omni.localhost:8080\n',
  );
  expect(addressLines([])).toBe('');
});

test('the other sites are below the name of the first one, at its port', () => {
  expect(siteAddresses('http://localhost:8080')).toEqual([
    'http://localhost:8080',
    'http://lantern-court.localhost:8080',
    'http://neon-meridian.localhost:8080',
    'http://omni.localhost:8080',
  ]);
});
