import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { givenShop, open, siteConfig } from '../../../test/shop.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ribbon = 'Rehearsal: nothing here is real money.';

test('the portal of a rehearsal says on every page that nothing is real money', async () => {
  givenShop();
  await open('/main/recharge', { ...siteConfig, isRehearsal: true });
  expect(await screen.findByText(ribbon)).toBeDefined();
  cleanup();
  await open('/nowhere', { ...siteConfig, isRehearsal: true });
  expect(await screen.findByText(ribbon)).toBeDefined();
});

test('the portal of a shop that is no rehearsal has no ribbon', async () => {
  givenShop();
  await open('/main/recharge');
  await screen.findByRole('banner');
  expect(screen.queryByText(ribbon)).toBeNull();
});
