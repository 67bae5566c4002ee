import { expect } from '@playwright/test';
import { askedSample } from '../../tools/sample/sample.ts';
import { allScreens } from '../screens/all-screens.ts';
import { test } from '../screens/test.ts';
import { openWalk } from './walk.ts';

// Every screen, narrow and wide: in each language complete, readable and within reach, and accessible.
// There is no list of exceptions.

if (askedSample !== 'all') {
  process.stdout.write(`Each screen in English and three more languages, by ${askedSample}\n`);
}
const walk = await openWalk();

for (const [page, screens] of Map.groupBy(allScreens, (screen) => screen.page)) {
  test(`[S1.07] ${page} is accessible, and whole in nine languages on phones and desktops`, async ({
    theatre,
  }) => {
    expect(await theatre.showAll(screens, walk)).toEqual([]);
  });
}
