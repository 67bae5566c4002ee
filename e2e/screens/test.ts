import { shopOf, test as shopTest } from '../shop.ts';
import { openTheatre, type Theatre } from './stage.ts';

/** For tests that go through the list of screens. */
export const test = shopTest.extend<object, { theatre: Theatre }>({
  theatre: [
    async ({ browser, stack }, use) => use(await openTheatre(browser, shopOf(stack))),
    { scope: 'worker', timeout: 60_000 },
  ],
});
