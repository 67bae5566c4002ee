import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const values = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds in the way of somebody on the page as it is now. */
export async function findBarriers(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page })
    // There are no frames, and what passes is not asked for: without both it is done in half the time.
    .setLegacyMode(true)
    .options({ runOnly: { type: 'tag', values }, resultTypes: ['violations'], preload: false });
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `axe ${id}: ${html.slice(0, 160)}`),
  );
}

export async function expectAccessible(page: Page): Promise<void> {
  expect(await findBarriers(page), page.url()).toEqual([]);
}
