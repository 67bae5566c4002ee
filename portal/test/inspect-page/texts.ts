import { isVisible, stage } from './visible.ts';

interface ShownText {
  text: string;
  /** Said to be in this language; the page's own where nothing else is said. */
  language: string;
}

const spoken = ['aria-label', 'aria-description', 'placeholder', 'title', 'alt'];

/** All that is read on the page, aloud or with one's eyes, and the title of its tab. */
export function readTexts(): ShownText[] {
  return [
    { text: document.title, language: document.documentElement.lang },
    ...shownTexts().map(({ element, text }) => ({ text, language: languageOf(element) })),
    ...[...stage().querySelectorAll(spoken.map((name) => `[${name}]`).join())].flatMap((element) =>
      spoken.flatMap((name) => {
        const text = element.getAttribute(name)?.trim();
        return text ? [{ text, language: languageOf(element) }] : [];
      }),
    ),
  ];
}

/** The pieces of text that can be seen, each with the element it stands in. */
export function shownTexts(): { element: Element; node: Text; text: string }[] {
  const walker = document.createTreeWalker(stage(), NodeFilter.SHOW_TEXT);
  const found = [];
  const known = new Map<Element, boolean>();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const element = node.parentElement;
    const text = node.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '';
    if (!(node instanceof Text) || element === null || text === '') continue;
    const isShown =
      known.get(element) ?? (!element.matches('script, option') && isVisible(element));
    known.set(element, isShown);
    if (isShown) found.push({ element, node, text });
  }
  return found;
}

function languageOf(element: Element): string {
  return element.closest('[lang]')?.getAttribute('lang') ?? '';
}
