import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { later } from './later.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Dialog({ name }: { name: string }) {
  return <p>{name}</p>;
}

/** A browser that has something else to do until it is let go. */
function givenBusyBrowser(): () => void {
  const waiting: (() => void)[] = [];
  vi.stubGlobal('requestIdleCallback', (act: () => void) => waiting.push(act));
  return () => {
    for (const act of waiting) act();
  };
}

test('what a click opens is fetched when the browser is idle, and is not waited for', async () => {
  const letGo = givenBusyBrowser();
  const load = vi.fn(async () => Dialog);
  const Later = later(load);
  expect(load).not.toHaveBeenCalled();
  letGo();
  expect(load).toHaveBeenCalledTimes(1);
  render(<Later name="coupons" />);
  await screen.findByText('coupons');
});

test('a click that is quicker fetches it itself', async () => {
  givenBusyBrowser();
  const Later = later(async () => Dialog);
  render(<Later name="coupons" />);
  await screen.findByText('coupons');
});

test('what could not be fetched in passing is fetched again by the click', async () => {
  const letGo = givenBusyBrowser();
  const load = vi.fn(async () => Dialog);
  load.mockRejectedValueOnce(new TypeError('cut'));
  const Later = later(load);
  letGo();
  render(<Later name="coupons" />);
  await screen.findByText('coupons');
  expect(load).toHaveBeenCalledTimes(2);
});
