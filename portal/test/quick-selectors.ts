// Fast paths for two kinds of selectors, with the same results as jsdom.

const { matches } = Element.prototype;
const tags = new Map<string, string | null>();

// Testing Library matches about a hundred selectors like `input[type="radio"]` to find a role.
Object.assign(Element.prototype, {
  matches(this: Element, selector: string) {
    const tag = requiredTag(selector);
    return (tag === null || tag === this.localName) && matches.call(this, selector);
  },
});

/** The tag that a simple selector requires, or null. */
function requiredTag(selector: string): string | null {
  const known = tags.get(selector);
  if (known !== undefined) return known;
  const tag = /^([a-z][a-z0-9]*)(?:[[:][^,\s>+~|]*)?$/.exec(selector)?.[1] ?? null;
  tags.set(selector, tag);
  return tag;
}

const { querySelectorAll } = DocumentFragment.prototype;

// jsdom adds window listeners for each document with a query, and each sanitised text is a
// document.
Object.assign(DocumentFragment.prototype, {
  querySelectorAll(this: DocumentFragment, selector: string) {
    return selector === '*' ? elementsIn(this) : querySelectorAll.call(this, selector);
  },
});

function elementsIn(fragment: DocumentFragment): Element[] {
  return [...fragment.children].flatMap((child) => [child, ...child.getElementsByTagName('*')]);
}
