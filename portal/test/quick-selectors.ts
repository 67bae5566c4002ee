// Answers two kinds of selectors as jsdom does, without the machinery that jsdom starts for each.

const { matches } = Element.prototype;
const tags = new Map<string, string | null>();

// Testing Library finds the role of an element by trying a hundred selectors like `input[type="radio"]`.
Object.assign(Element.prototype, {
  matches(this: Element, selector: string) {
    const tag = requiredTag(selector);
    return (tag === null || tag === this.localName) && matches.call(this, selector);
  },
});

/** The tag without which nothing matches, where the selector is simple enough to tell. */
function requiredTag(selector: string): string | null {
  const known = tags.get(selector);
  if (known !== undefined) return known;
  const tag = /^([a-z][a-z0-9]*)(?:[[:][^,\s>+~|]*)?$/.exec(selector)?.[1] ?? null;
  tags.set(selector, tag);
  return tag;
}

const { querySelectorAll } = DocumentFragment.prototype;

// The first selector in a document leaves listeners at the window, and each cleaned text is a document.
Object.assign(DocumentFragment.prototype, {
  querySelectorAll(this: DocumentFragment, selector: string) {
    return selector === '*' ? elementsIn(this) : querySelectorAll.call(this, selector);
  },
});

function elementsIn(fragment: DocumentFragment): Element[] {
  return [...fragment.children].flatMap((child) => [child, ...child.getElementsByTagName('*')]);
}
