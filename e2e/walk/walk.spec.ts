import { expect } from '@playwright/test';
import { allScreens } from '../screens/all-screens.ts';
import { test } from '../screens/test.ts';
import { openWalk } from './walk.ts';

// Every screen, narrow and wide: in each language complete, readable and within reach, and in English
// accessible. There is no list of exceptions.

const walk = await openWalk();

for (const [page, screens] of Map.groupBy(allScreens, (screen) => screen.page)) {
  test(`[S1.07] ${page} is accessible, and whole in nine languages on phones and desktops`, async ({
    theatre,
  }) => {
    const faults: string[] = [];
    for (const screen of screens) {
      const found = theatre.show(screen, (stage) => walk(screen, stage));
      // Whoever broke three screens should hear of three.
      faults.push(...(await found.catch((error: Error) => [`${screen.state}: ${error.message}`])));
    }
    expect(faults).toEqual([]);
  });
}
