import { beforeEach, describe, expect, test, vi } from 'vitest';
import { siteWithLogger } from '../../test/logger.ts';

let visits: typeof import('./visit.ts');

beforeEach(async () => {
  localStorage.clear();
  // Each test is a page of its own.
  vi.resetModules();
  visits = await import('./visit.ts');
});

describe('[S8.05] an error is logged once and tracking is skipped', () => {
  test.each([
    ['the logger is missing', siteWithLogger({ loggerUrl: null })],
    ['its key is missing', siteWithLogger({ loggerKey: null })],
  ])('where %s', (_what, site) => {
    const complain = vi.spyOn(console, 'error').mockImplementation(() => {});
    expect([visits.openVisit(site), visits.openVisit(site)]).toEqual([null, null]);
    expect(complain.mock.calls).toEqual([['Nothing is tracked. The site has no logger.']]);
    expect(localStorage).toHaveLength(0);
    complain.mockRestore();
  });

  test('where the page came without TLS', () => {
    const complain = vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    const site = siteWithLogger();
    expect([visits.openVisit(site), visits.openVisit(site)]).toEqual([null, null]);
    const why = 'Nothing is tracked. Events cannot be signed on a page that came without TLS.';
    expect(complain.mock.calls).toEqual([[why]]);
    vi.unstubAllGlobals();
    complain.mockRestore();
  });
});
