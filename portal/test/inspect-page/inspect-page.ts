import { findClipped, findSideways } from './clipping.ts';
import { findOverlaps, findSmallTargets } from './targets.ts';
import { readTexts } from './texts.ts';
import { lookAnew, stage } from './visible.ts';

// Checks that need a real browser: the texts of a page, and whether they are readable. Tests inject
// this into every page; it is not part of the portal.

/** All layout and usability faults of the page, one line each. */
function findFaults({ isTouched }: { isTouched: boolean }): string[] {
  return [
    ...findSideways(),
    ...findClipped(),
    ...findOverlaps(),
    ...(isTouched ? findSmallTargets() : []),
  ];
}

/** The texts and the faults of a page that has settled. */
function look(options: { isTouched: boolean }) {
  lookAnew();
  const hasDialog = stage() !== document.body;
  return { texts: readTexts(), faults: findFaults(options), hasDialog };
}

/** Changes the language, as another window of the shop does. */
async function speak(locale: string): Promise<void> {
  localStorage.setItem('i18nextLng', locale);
  window.dispatchEvent(new StorageEvent('storage', { key: 'i18nextLng', newValue: locale }));
  while (document.documentElement.lang !== locale) await nextFrame();
}

/** Resolves when fonts are loaded and pending renders are painted. */
async function settle(): Promise<void> {
  await document.fonts.ready;
  await nextFrame();
  await nextFrame();
}

function nextFrame(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}

Object.assign(window, { inspection: { look, speak, settle } });
