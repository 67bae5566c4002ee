import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { lazyComponent } from './lazy-component.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Dialog({ name }: { name: string }) {
  return <p>{name}</p>;
}

/** A browser that is busy until the returned function runs its idle callbacks. */
function givenBusyBrowser(): () => void {
  const waiting: (() => void)[] = [];
  vi.stubGlobal('requestIdleCallback', (act: () => void) => waiting.push(act));
  return () => {
    for (const act of waiting) act();
  };
}

test('a lazy component of the portal is preloaded when the browser is idle', async () => {
  const letGo = givenBusyBrowser();
  const load = vi.fn(async () => Dialog);
  const Later = lazyComponent(load);
  expect(load).not.toHaveBeenCalled();
  letGo();
  expect(load).toHaveBeenCalledTimes(1);
  render(<Later name="coupons" />);
  await screen.findByText('coupons');
});

test('a lazy component of the portal that is rendered before the browser is idle is loaded at once', async () => {
  givenBusyBrowser();
  const Later = lazyComponent(async () => Dialog);
  render(<Later name="coupons" />);
  await screen.findByText('coupons');
});

test('a lazy component of the portal whose preload failed is loaded again on render', async () => {
  const letGo = givenBusyBrowser();
  const load = vi.fn(async () => Dialog);
  load.mockRejectedValueOnce(new TypeError('cut'));
  const Later = lazyComponent(load);
  letGo();
  render(<Later name="coupons" />);
  await screen.findByText('coupons');
  expect(load).toHaveBeenCalledTimes(2);
});
