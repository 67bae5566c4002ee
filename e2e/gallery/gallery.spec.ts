import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { allScreens } from '../screens/all-screens.ts';
import { speak } from '../screens/inspection.ts';
import { type Screen, type TestPage, type Width, widths } from '../screens/screen.ts';
import { test } from '../screens/test.ts';
import { galleryPage, type Picture } from './gallery-page.ts';

const folder = join(import.meta.dirname, '../../.pointgate/gallery');
const heights = { narrow: 844, wide: 900 };
// Each screen in English, in a language that breaks anywhere, and in one of long words or tall
// lines.
const languages = [
  ['en-US', 'zh-CN', 'de-DE'],
  ['en-US', 'ja-JP', 'th-TH'],
];

const pictures: Picture[] = [];
const missing: string[] = [];
const wanted = process.env.GALLERY_PAGES?.split(',');
const shown = allScreens.filter(({ page }) => wanted === undefined || wanted.includes(page));

test.beforeAll(async () => {
  if (wanted === undefined) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
});

for (const [page, screens] of Map.groupBy(shown, (screen) => screen.page)) {
  test(`the screenshot gallery takes pictures of every state of the portal page ${page}`, async ({
    browserPool,
  }) => {
    // Failures are collected, because a failed test would end its worker with the shop and its
    // orders.
    missing.push(...(await browserPool.visitAll(screens, takePictures)));
  });
}

test('every screen planned for the screenshot gallery could be shown and photographed', async () => {
  await writeFile(join(folder, 'index.html'), galleryPage(pictures));
  expect(missing).toEqual([]);
});

async function takePictures(screen: Screen, testPage: TestPage): Promise<string[]> {
  const sides = screen.only === undefined ? (['narrow', 'wide'] as const) : [screen.only];
  for (const locale of languages[allScreens.indexOf(screen) % languages.length] ?? []) {
    await speak(testPage.page, locale);
    for (const side of sides) await takePicture(screen, testPage, { locale, side });
  }
  return [];
}

async function takePicture(
  { page: group, state }: Screen,
  { page, untilIdle }: TestPage,
  { locale, side }: { locale: string; side: Width },
): Promise<void> {
  await page.setViewportSize({ width: widths[side], height: heights[side] });
  await page.evaluate('window.scrollTo(0, 0)');
  await untilIdle();
  const name = `${group} ${state} ${side} ${locale}`.toLowerCase().replaceAll(/[^a-z\d]+/g, '-');
  const take = async (file: string, fullPage: boolean) => {
    const kind = { type: 'jpeg', quality: 80, animations: 'disabled' } as const;
    await page.screenshot({ path: join(folder, file), fullPage, ...kind });
    return file;
  };
  const file = await take(`${name}.jpg`, false);
  // Not with a modal dialog: it covers the page, and a full-page screenshot closes some dialogs.
  const isLonger = await page.evaluate(
    'document.querySelector("dialog:modal") === null && document.documentElement.scrollHeight > innerHeight',
  );
  const whole = isLonger ? await take(`${name}-whole.jpg`, true) : file;
  pictures.push({ page: group, state, locale, side, file, whole });
}
