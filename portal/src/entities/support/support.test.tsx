import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { callsOf, givenOrder, givenShop, open, orderId, refused } from '../../../test/shop.tsx';

const path = '/api/crm/url/get';
const deskUrl = 'https://desk.example/ask?token=t';
const expiresAt = '2099-01-01T00:00:00.000Z';
const link = { url: deskUrl, expiresAt };
/** jsdom navigates only within the page, so the desk is a hash of the current address. */
const here = () => ({
  url: `${window.location.href.replace(/#.*/, '')}#desk`,
  expiresAt,
});

/** Stubs the window that the browser opens. */
function givenWindow() {
  const beside = {
    opener: window,
    document: document.implementation.createHTMLDocument(),
    location: { replace: vi.fn() },
    closed: false,
    close: vi.fn(),
  };
  const opened = vi.fn((_url: string, _target: string): object | null => beside);
  vi.stubGlobal('open', opened);
  return { beside, opened };
}

async function openOrder(answer: object) {
  const ofOrder = `${path}?paymentId=${orderId}`;
  const calls = givenShop({
    '/api/payment/order/detail': givenOrder(),
    [ofOrder]: answer,
    [path]: answer,
  });
  await open(`/main/recharge/detail/${orderId}`);
  const report = await screen.findByRole('button', { name: 'Report a problem' });
  return { calls, report, asked: () => callsOf(calls, ofOrder).length };
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('[S1.04] the order page opens customer service in a new window, with the order attached', async () => {
  const { beside, opened } = givenWindow();
  const { report, asked } = await openOrder(link);
  fireEvent.click(report);
  // The window opens during the click: browsers block a window that opens later as a pop-up.
  expect(opened.mock.calls).toEqual([['', '_blank']]);
  expect(beside.opener).toBeNull();
  expect(beside.document.body.textContent).toBe('Opening customer service…');
  fireEvent.click(report);
  await waitFor(() => expect(beside.location.replace.mock.calls).toEqual([[deskUrl]]));
  expect(opened).toHaveBeenCalledTimes(1);
  expect(asked()).toBe(1);
});

test('[S1.04] the Help button in the navigation opens customer service without an order', async () => {
  const { beside } = givenWindow();
  const { calls } = await openOrder(link);
  fireEvent.click(screen.getByRole('button', { name: 'Help' }));
  await waitFor(() => expect(beside.location.replace.mock.calls).toEqual([[deskUrl]]));
  expect(callsOf(calls, path)).toHaveLength(1);
});

test('the order page inside an in-app browser opens customer service in place of the shop', async () => {
  const { opened } = givenWindow();
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(
    'Mozilla/5.0 (Linux; Android 14; wv) AppleWebKit/537.36 Version/4.0 Chrome/120.0 Mobile',
  );
  const { report } = await openOrder(here);
  fireEvent.click(report);
  await waitFor(() => expect(window.location.hash).toBe('#desk'));
  expect(opened).not.toHaveBeenCalled();
});

test('the order page opens customer service in place of the shop when no new window can be opened', async () => {
  const { opened } = givenWindow();
  opened.mockReturnValue(null);
  const { report } = await openOrder(here);
  fireEvent.click(report);
  await waitFor(() => expect(window.location.hash).toBe('#desk'));
});

test('[S8.09] a failed customer service request on the order page closes the empty window and shows an error', async () => {
  const { beside } = givenWindow();
  const { report } = await openOrder(refused('SystemBusy', 503));
  fireEvent.click(report);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Failed to jump to customer service');
  expect(alert.textContent).toContain('The system is busy');
  expect(beside.close).toHaveBeenCalledTimes(1);
  expect(beside.location.replace).not.toHaveBeenCalled();

  fireEvent.click(screen.getByRole('button', { name: 'Help' }));
  await waitFor(() =>
    expect(document.querySelector('.toasts')?.textContent).toBe(
      'Failed to jump to customer service',
    ),
  );
});

test('the order page of a site without customer service refers to the contact page', async () => {
  givenWindow();
  const { report } = await openOrder(refused('CustomerServiceMissing'));
  fireEvent.click(report);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe(
    'Customer service cannot be opened from here yet. The contact page tells you how to reach us.',
  );
});

test('a customer service window that the player closes before the server answers does not open the customer service page', async () => {
  const { beside } = givenWindow();
  let isAnswered = false;
  const { report } = await openOrder(() => {
    isAnswered = true;
    return link;
  });
  fireEvent.click(report);
  beside.closed = true;
  await waitFor(() => expect(isAnswered).toBe(true));
  await waitFor(() => expect(report.getAttribute('aria-busy')).toBeNull());
  expect(beside.location.replace).not.toHaveBeenCalled();
});
