import { webcrypto } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { configure, getConfig } from '@testing-library/react';
import './quick-selectors.ts';

// Browser features that jsdom lacks and the portal needs.

// The first page of a test file is compiled while the test waits, possibly on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

// Printing the page is slower than searching it, and a polled query fails many times. Only the last
// error is printed with the page.
const { getElementError } = getConfig();
configure({
  getElementError: (message, container) =>
    isRepeatedSearch() && message !== null
      ? Object.assign(new Error(message), { name: 'TestingLibraryElementError' })
      : getElementError(message, container),
});

function isRepeatedSearch(): boolean {
  const config = getConfig();
  return (
    '_disableExpensiveErrorDiagnostics' in config &&
    config._disableExpensiveErrorDiagnostics === true
  );
}

let width = 1440;

/** Sets the window width for the next render. */
export function givenWindowWidth(px: number): void {
  width = px;
}

window.matchMedia = (query) => {
  const [, bound, px] = /\((min|max)-width: (\d+)px\)/.exec(query) ?? [];
  const matches = bound === 'min' ? width >= Number(px) : bound === 'max' && width <= Number(px);
  return Object.assign(new EventTarget(), {
    matches,
    media: query,
    onchange: null,
    addListener: () => {},
    removeListener: () => {},
  });
};

HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
};
HTMLDialogElement.prototype.close = function close() {
  this.open = false;
};

Object.defineProperty(globalThis, 'crypto', { value: webcrypto });
// Configurable and writable, because tests replace it and its clock.
Object.defineProperty(globalThis, 'performance', {
  value: performance,
  writable: true,
  configurable: true,
});
