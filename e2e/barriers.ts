import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const values = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The accessibility violations that axe finds on the page. */
export async function findBarriers(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page })
    // Without frames and passed rules, axe takes half the time; pages have no frames.
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
