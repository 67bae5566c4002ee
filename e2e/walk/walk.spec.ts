import { expect } from '@playwright/test';
import { askedSample, sampleOf } from '../../tools/sample/sample.ts';
import { allScreens } from '../screens/all-screens.ts';
import { test } from '../screens/test.ts';
import { openWalk } from './walk.ts';

// Every screen, narrow and wide: in each language complete, readable and within reach, and accessible.
// There is no list of exceptions.

if (askedSample !== 'all') {
  process.stdout.write(
    `Of each page a quarter of its screens, in all languages, by ${askedSample}\n`,
  );
}
const walk = await openWalk();

for (const [page, screens] of Map.groupBy(allScreens, (screen) => screen.page)) {
  test(`[S1.07] ${page} is accessible, and whole in nine languages on phones and desktops`, async ({
    theatre,
  }) => {
    const chosen = sampleOf(screens, {
      commit: askedSample,
      share: 1 / 4,
      nameOf: ({ state }) => `${page} ${state}`,
    });
    expect(await theatre.showAll(chosen, walk)).toEqual([]);
  });
}
