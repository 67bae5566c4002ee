import type { Page } from '@playwright/test';
import { locales } from '../../contract/src/locales.ts';
import { findBarriers } from '../barriers.ts';
import { look, settle, speak } from '../screens/inspection.ts';
import { type Screen, type TestPage, type Width, widths } from '../screens/screen.ts';
import { wordsOf } from '../words.ts';
import { openTranslationCheck } from './untranslated.ts';

type Walk = (screen: Screen, testPage: TestPage) => Promise<string[]>;

const heights = { narrow: 844, wide: 900 };
// A window of 1440 px at 200 % zoom.
const zoomed = { width: 720, height: 450 };

// All of them, or a few to try something out: WALK_LOCALES=en-US,de-DE npm run walk
const wanted = process.env.WALK_LOCALES ?? '';
const walked = wanted === '' ? locales : wanted.split(',');

/** Checks a screen with axe in English, and its texts and layout in every language. */
export async function openWalk(): Promise<Walk> {
  const english = await wordsOf('en-US');
  const judges = await Promise.all(
    walked.map(async (locale) => ({
      locale,
      judge: openTranslationCheck({ english, translated: await wordsOf(locale), locale }),
    })),
  );
  return async (screen, testPage) => {
    const { page } = testPage;
    const faults = openFaults();
    const { hasDialog } = await look(page, false);
    for (const side of sidesOf(screen, page)) {
      await resize(page, side);
      faults.add(String(widths[side]), await findBarriers(page));
    }
    const inEnglish = new Set<string>();
    const lookIn = async ({ locale, judge }: (typeof judges)[number]) => {
      await speak(page, locale);
      await testPage.untilIdle();
      for (const side of sidesOf(screen, page)) {
        await resize(page, side);
        const found = await untilGood(testPage, async () => {
          const seen = await look(page, side === 'narrow');
          if (locale === 'en-US') for (const { text } of seen.texts) inEnglish.add(text);
          // Without this, a dialog that closes by itself would not be checked.
          const gone = seen.hasDialog === hasDialog ? [] : ['the dialog does not stay open'];
          return [...judge(seen.texts, inEnglish), ...seen.faults, ...gone];
        });
        faults.add(`${locale} ${widths[side]}`, found);
      }
    };
    for (const language of judges) {
      await lookIn(language).catch((error) => {
        throw new Error(`in ${language.locale}: ${error}`);
      });
    }
    // Checked in the last language only. At 200 % zoom the phone layout is shown.
    if (screen.only !== 'wide') {
      await page.setViewportSize(zoomed);
      await testPage.untilIdle();
      faults.add('at 200 %', (await look(page, false)).faults);
    }
    return faults.lines().map((line) => `${screen.page}, ${screen.state}: ${line}`);
  };
}

const looksMax = 10;

/** Repeats a check that finds faults, because texts may still be loading; real faults remain. */
async function untilGood(testPage: TestPage, find: () => Promise<string[]>): Promise<string[]> {
  let found = await find();
  for (let looks = 1; looks < looksMax && found.length > 0; looks += 1) {
    await testPage.untilIdle();
    found = await find();
  }
  return found;
}

/** The widths to check a screen in, beginning with the current one to save a resize. */
function sidesOf({ only }: Screen, page: Page): Width[] {
  if (only !== undefined) return [only];
  return page.viewportSize()?.width === widths.wide ? ['wide', 'narrow'] : ['narrow', 'wide'];
}

async function resize(page: Page, side: Width): Promise<void> {
  if (page.viewportSize()?.width === widths[side]) return;
  await page.setViewportSize({ width: widths[side], height: heights[side] });
  await settle(page);
}

/** Collects faults: one line for each, with all the places where it was found. */
function openFaults() {
  const places = new Map<string, string[]>();
  return {
    add: (place: string, faults: readonly string[]) => {
      for (const fault of faults) places.set(fault, [...(places.get(fault) ?? []), place]);
    },
    lines: () => [...places].map(([fault, where]) => `${fault} (${where.join(', ')})`),
  };
}
