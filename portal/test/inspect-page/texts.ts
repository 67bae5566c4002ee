import { isVisible, stage } from './visible.ts';

interface ShownText {
  text: string;
  /** The language of the text from `lang`, by default the language of the page. */
  language: string;
}

const spoken = ['aria-label', 'aria-description', 'placeholder', 'title', 'alt'];

/** All visible and announced texts of the page, and the document title. */
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

/** The visible text nodes, each with its element. */
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
