import { keptAttributes, richTextAttributes, richTextTags } from '@pointgate/contract/rich-text.ts';
import createPurifier from 'dompurify';

const purifier = createPurifier(window);

/**
 * Sanitises HTML a second time, with the parser of the browser and the allow-list of the server.
 */
export function cleanNodes(html: string): DocumentFragment {
  const nodes: DocumentFragment | null = purifier.sanitize(html, {
    ALLOWED_TAGS: [...richTextTags],
    ALLOWED_ATTR: [...richTextAttributes],
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
    ALLOWED_NAMESPACES: ['http://www.w3.org/1999/xhtml'],
    RETURN_DOM_FRAGMENT: true,
  });
  // Contrary to its types, the sanitiser returns null for a whole frameset.
  if (nodes === null) return document.createDocumentFragment();
  for (const element of nodes.querySelectorAll('*')) keepAttributes(element);
  return nodes;
}

function keepAttributes(element: Element): void {
  const written = Object.fromEntries(
    [...element.attributes].map(({ name, value }) => [name, value]),
  );
  const kept = keptAttributes(element.localName, written);
  if (kept === null) {
    element.replaceWith(...element.childNodes);
    return;
  }
  for (const name of Object.keys(written)) element.removeAttribute(name);
  for (const [name, value] of Object.entries(kept)) element.setAttribute(name, value);
}
