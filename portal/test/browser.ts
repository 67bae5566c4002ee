import { webcrypto } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { configure, getConfig } from '@testing-library/react';
import './quick-selectors.ts';

// What jsdom lacks of a browser, as far as the portal needs it.

// The first page of a file is compiled while its test waits for it, on a machine that may be busy.
configure({ asyncUtilTimeout: 60_000 });

// Printing the page costs more than searching it, and a search that is repeated fails many times.
// The error of the last attempt is printed with the page when the time is up.
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

/** Makes the window this wide for what is rendered next. */
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
// Others replace it, and its clock, for a while.
Object.defineProperty(globalThis, 'performance', {
  value: performance,
  writable: true,
  configurable: true,
});
