import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { BrowserRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { givenShop, player, refused, siteConfig } from '../../../test/shop.tsx';
import { createQueryClient } from '../../shared/api/query-client.ts';
import { SiteConfigProvider } from '../../shared/config/site-config.tsx';
import type { OrderRequest } from './order-intent.ts';
import { usePayWish } from './use-pay.ts';

const wish: OrderRequest = {
  kind: 'points',
  accountId: player.accountId,
  itemId: 'epoint_500',
  quoteId: 'quote-of-this-test',
  quantity: 1,
  method: 'card',
  system: 'android',
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('the error of a failed payment is reported to the code that started it even after its React component has unmounted', async () => {
  givenShop({ '/api/payment/order/create/epoint': () => refused('ItemNotForSale') });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <SiteConfigProvider value={siteConfig}>
      <QueryClientProvider client={createQueryClient()}>
        <BrowserRouter>{children}</BrowserRouter>
      </QueryClientProvider>
    </SiteConfigProvider>
  );
  const { result, unmount } = renderHook(usePayWish, { wrapper });
  unmount();
  const onError = vi.fn();
  result.current.pay(wish, onError);
  await vi.waitFor(() => expect(onError).toHaveBeenCalledOnce());
  expect(onError).toHaveBeenCalledWith(expect.objectContaining({ code: 'ItemNotForSale' }));
});
