import { bulletinDetail } from '@pointgate/contract/bulletins.ts';
import { Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { call } from '../src/shared/api/client.ts';
import { RichText } from '../src/shared/ui/rich-text.tsx';

// A page for browser tests of the RichText component: it shows many texts at once and fires events
// on them. The test observes the effects.

// Saved first, because an unsanitised text could shadow it (DOM clobbering).
const createElement = document.createElement.bind(document);
const place = document.body.appendChild(createElement('main'));

/** Fetches and shows these bulletins. Returns how many have visible content. */
async function showNews(bulletinIds: readonly string[]): Promise<number> {
  const bodies = await Promise.all(
    bulletinIds.map(async (id) => (await call(bulletinDetail, {}, {}, { id })).body),
  );
  return await showTexts(bodies);
}

async function showTexts(texts: readonly string[]): Promise<number> {
  const numbered = texts.map((html, number) => ({ html, number }));
  createRoot(place).render(
    <Suspense>
      {numbered.map(({ html, number }) => (
        <RichText key={number} html={html} locale="en-US" />
      ))}
    </Suspense>,
  );
  await until(() => place.querySelectorAll('.rich-text').length === texts.length);
  tryEverything();
  return [...place.children].filter(({ childNodes }) => childNodes.length > 0).length;
}

/** Inserts the texts without sanitising them. */
function plant(texts: readonly string[]): void {
  for (const html of texts) {
    const planted = place.appendChild(createElement('div'));
    planted.innerHTML = html;
  }
  tryEverything();
}

/** Dispatches every event with a handler property to every element, and clicks it. */
function tryEverything(): void {
  for (const element of place.querySelectorAll('*')) {
    for (const name in element) {
      if (name.startsWith('on')) element.dispatchEvent(new Event(name.slice(2)));
    }
    if (element instanceof HTMLElement) element.click();
  }
}

// Follows only javascript: links, because others would leave this page.
document.addEventListener('click', (event) => {
  const isLink =
    event.target instanceof HTMLAnchorElement || event.target instanceof HTMLAreaElement;
  if (isLink && event.target.protocol !== 'javascript:') event.preventDefault();
});
document.addEventListener('submit', (event) => event.preventDefault());

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((resolve) => requestAnimationFrame(resolve));
}

Object.assign(globalThis, { showNews, showTexts, plant });
