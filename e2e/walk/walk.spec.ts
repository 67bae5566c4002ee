import { expect } from '@playwright/test';
import { askedSample, sampleOf } from '../../tools/sample/sample.ts';
import { allScreens } from '../screens/all-screens.ts';
import type { BrowserPool } from '../screens/browser-pool.ts';
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

const pages = [...Map.groupBy(allScreens, (screen) => screen.page)].map(([page, screens]) => ({
  page,
  screens: sampleOf(screens, {
    commit: askedSample,
    share: 1 / 4,
    nameOf: ({ state }) => `${page} ${state}`,
  }),
}));

const complaints = new Map<string, Promise<string[]>>();

/** What is wrong with a page. The next one is begun, too, so that there is a screen for each lane. */
async function complaintsOf(page: string, browserPool: BrowserPool): Promise<string[] | undefined> {
  const place = pages.findIndex((one) => one.page === page);
  for (const next of pages.slice(place, place + 2)) {
    if (complaints.has(next.page)) continue;
    const looked = browserPool.visitAll(next.screens, walk);
    looked.catch(() => {}); // Seen when its turn comes.
    complaints.set(next.page, looked);
  }
  return await complaints.get(page);
}

for (const { page } of pages) {
  test(`[S1.07] the portal page ${page} is accessible and shown completely in nine languages on phones and desktops`, async ({
    browserPool,
  }) => {
    expect(await complaintsOf(page, browserPool)).toEqual([]);
  });
}
