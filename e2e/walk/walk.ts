import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { locales } from '../../contract/src/locales.ts';
import { look, speak } from '../screens/inspection.ts';
import { type Screen, type Stage, type Width, widths } from '../screens/screen.ts';
import { openJudge, wordsOf } from './left-behind.ts';

export type Walk = (screen: Screen, stage: Stage) => Promise<string[]>;

const height = 900;
// A window of 1440 px, twice as large.
const zoomed = { width: 720, height: 450 };

/** Looks at a screen in English as the accessible page it has to be, then in every language. */
export async function openWalk(): Promise<Walk> {
  const english = await wordsOf('en-US');
  const judges = await Promise.all(
    locales.map(async (locale) => ({ locale, judge: openJudge(english, await wordsOf(locale)) })),
  );
  return async (screen, stage) => {
    const { page } = stage;
    const sides = screen.only === undefined ? (['narrow', 'wide'] as const) : [screen.only];
    const faults = openFaults();
    await checkAccess(stage, sides, faults);
    const inEnglish = new Set<string>();
    for (const { locale, judge } of judges) {
      await speak(page, locale);
      await stage.quiet();
      // Back and forth, because every change of the width takes its time.
      for (const side of widthOf(page) === widths.wide ? sides.toReversed() : sides) {
        await resize(page, side);
        const seen = await look(page, side === 'narrow');
        if (locale === 'en-US') for (const { text } of seen.texts) inEnglish.add(text);
        const known = locale === 'en-US' ? new Set<string>() : inEnglish;
        const where = `${locale} ${widths[side]}`;
        faults.add(where, [...judge(seen.texts, known, locale), ...seen.faults]);
      }
    }
    return faults.lines().map((line) => `${screen.page}, ${screen.state}: ${line}`);
  };
}

/** In English and at twice the size: what does not depend on the language. */
async function checkAccess(stage: Stage, sides: readonly Width[], faults: Faults): Promise<void> {
  const { page } = stage;
  for (const side of sides) {
    await resize(page, side);
    await stage.quiet();
    const { violations } = await new AxeBuilder({ page }).analyze();
    for (const { id, nodes } of violations) {
      const found = nodes.map(({ html }) => `axe ${id}: ${html.slice(0, 160)}`);
      faults.add(String(widths[side]), found);
    }
  }
  await page.setViewportSize(zoomed);
  await stage.quiet();
  faults.add('at 200 %', (await look(page, false)).faults);
}

type Faults = ReturnType<typeof openFaults>;

/** One line for each fault, however often it was met. */
function openFaults() {
  const places = new Map<string, string[]>();
  return {
    add: (place: string, faults: readonly string[]) => {
      for (const fault of faults) places.set(fault, [...(places.get(fault) ?? []), place]);
    },
    lines: () => [...places].map(([fault, where]) => `${fault} (${where.join(', ')})`),
  };
}

async function resize(page: Page, side: Width): Promise<void> {
  if (widthOf(page) === widths[side]) return;
  await page.setViewportSize({ width: widths[side], height });
}

function widthOf(page: Page): number {
  return page.viewportSize()?.width ?? 0;
}
