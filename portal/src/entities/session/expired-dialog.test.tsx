import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useEffect } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import {
  expectAddress,
  givenOrder,
  givenShop,
  open,
  orderId,
  refused,
} from '../../../test/shop.tsx';
import { emitSessionEvent, onSessionEvent } from '../../shared/api/session-events.ts';

const text = 'Information expired or account accessed on another device';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('[S4.10] [S8.14] an expired session emits the event expired, redirects to sign-in and shows a single dialog', async () => {
  let isEnded = false;
  const onExpired = vi.fn();
  const stop = onSessionEvent('expired', onExpired);
  givenShop({
    '/api/payment/order/detail': () => (isEnded ? refused('InvalidToken', 203) : givenOrder()),
  });
  await open(`/main/recharge/detail/${orderId}?from=mail`);
  await screen.findByText('Unpaid');

  isEnded = true;
  const refresh = screen.getByRole('button', { name: 'Refresh' });
  fireEvent.click(refresh);
  expect((await screen.findByRole('dialog')).textContent).toContain(text);
  expect(onExpired).toHaveBeenCalled();
  const back = encodeURIComponent(`/main/recharge/detail/${orderId}?from=mail`);
  await waitFor(() => expectAddress(`/login?from=mail&redirect=${back}`));

  emitSessionEvent('expired');
  emitSessionEvent('expired');
  expect(screen.getAllByRole('dialog')).toHaveLength(1);
  expectAddress(`/login?from=mail&redirect=${back}`);
  stop();
});

function ExposeQueryClient({ remember }: { remember: (client: QueryClient) => void }) {
  const client = useQueryClient();
  useEffect(() => remember(client), [client, remember]);
  return null;
}

test('the portal removes player data from its query cache when the session has ended', async () => {
  let isEnded = false;
  let client: QueryClient | undefined;
  const remember = (known: QueryClient) => {
    client = known;
  };
  const isKept = () =>
    client
      ?.getQueryCache()
      .getAll()
      .some(({ queryHash }) => queryHash.includes(orderId));
  givenShop({
    '/api/payment/order/detail': () => (isEnded ? refused('InvalidToken', 203) : givenOrder()),
  });
  await open(
    `/main/recharge/detail/${orderId}`,
    undefined,
    <ExposeQueryClient remember={remember} />,
  );
  await screen.findByText('Unpaid');
  expect(isKept()).toBe(true);

  isEnded = true;
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  await screen.findByRole('dialog');
  await waitFor(() => expect(isKept()).toBe(false));
});

test('[S4.11] the OK button of the session-expired dialog emits expired-confirm; the next expiry shows it again', async () => {
  const onConfirm = vi.fn();
  const stop = onSessionEvent('expired-confirm', onConfirm);
  givenShop({ '/api/user/info': refused('InvalidToken', 203) });
  await open('/main/home');
  await screen.findByRole('dialog');

  fireEvent.click(screen.getByRole('button', { name: 'OK' }));
  expect(onConfirm).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole('dialog')).toBeNull();

  emitSessionEvent('expired');
  await screen.findByRole('dialog');
  fireEvent.click(screen.getByRole('button', { name: 'OK' }));
  expect(onConfirm).toHaveBeenCalledTimes(2);
  stop();
});

test('a session that expires before the first render shows the session-expired dialog once the page is rendered', async () => {
  emitSessionEvent('expired');
  givenShop({ '/api/user/info': { login: false } });
  await open('/login');
  await screen.findByRole('dialog');
});
