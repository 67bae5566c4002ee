import { findClipped, findSideways } from './clipping.ts';
import { findOverlaps, findSmallTargets } from './targets.ts';
import { readTexts } from './texts.ts';
import { lookAnew, stage } from './visible.ts';

// What a browser alone can say of a page: what is to be read there, and whether it can be. Tests put
// this into every page and ask it; none of it is a part of the portal.

/** Everything that hides text or makes a page hard to use, one line each. */
function findFaults({ isTouched }: { isTouched: boolean }): string[] {
  return [
    ...findSideways(),
    ...findClipped(),
    ...findOverlaps(),
    ...(isTouched ? findSmallTargets() : []),
  ];
}

/** What there is to read, and what is wrong with it. For a page that stands still. */
function look(options: { isTouched: boolean }) {
  lookAnew();
  const hasDialog = stage() !== document.body;
  return { texts: readTexts(), faults: findFaults(options), hasDialog };
}

/** As another window of the shop does, in which the player has chosen a language. */
async function speak(locale: string): Promise<void> {
  localStorage.setItem('i18nextLng', locale);
  window.dispatchEvent(new StorageEvent('storage', { key: 'i18nextLng', newValue: locale }));
  while (document.documentElement.lang !== locale) await nextFrame();
}

/** Resolves when what is on the way to the screen is there. */
async function settle(): Promise<void> {
  await document.fonts.ready;
  await nextFrame();
  await nextFrame();
}

function nextFrame(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}

Object.assign(window, { inspection: { look, speak, settle } });
