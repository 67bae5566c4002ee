import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { expectAddress, givenShop, open } from '../../../test/shop.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('the account pages link to each other and mark the open page as current', async () => {
  givenShop({
    '/api/payment/order/list': { orders: [], nextAfter: null },
    '/api/epoint/record': { records: [], page: 1, pageSize: 20, hasMore: false },
    '/api/epoint/lots': { lots: [], hasMore: false },
  });
  await open('/main/account/user');
  const steps = [
    ['Recharge record', '/main/account/recharge'],
    ['E Point record', '/main/account/epoint'],
    ['Account info', '/main/account/user'],
  ] as const;
  for (const [name, address] of steps) {
    const pages = await screen.findByRole('navigation', { name: 'Your account' });
    fireEvent.click(within(pages).getByRole('link', { name }));
    await screen.findByRole('heading', { name, level: 1 });
    expectAddress(address);
    const open = within(screen.getByRole('navigation', { name: 'Your account' }));
    expect(open.getByRole('link', { current: 'page' }).textContent).toBe(name);
  }
});
