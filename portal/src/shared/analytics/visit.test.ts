import { beforeEach, describe, expect, test, vi } from 'vitest';
import { siteWithLogger } from '../../../test/logger.ts';

let visits: typeof import('./visit.ts');

beforeEach(async () => {
  localStorage.clear();
  // Fresh modules make each test a new page.
  vi.resetModules();
  visits = await import('./visit.ts');
});

describe('[S8.05] tracking that is not available', () => {
  test.each([
    ['a logger URL', siteWithLogger({ loggerUrl: null })],
    ['a logger key', siteWithLogger({ loggerKey: null })],
  ])('a site without %s logs one error and reports nothing to analytics', (_what, site) => {
    const complain = vi.spyOn(console, 'error').mockImplementation(() => {});
    expect([visits.openVisit(site), visits.openVisit(site)]).toEqual([null, null]);
    expect(complain.mock.calls).toEqual([['Nothing is tracked. The site has no logger.']]);
    expect(localStorage).toHaveLength(0);
    complain.mockRestore();
  });

  test('a page served without TLS logs one error and reports nothing to analytics', () => {
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
