/** What a player deals with: the dialog in front, where there is one, else the whole page. */
export function stage(): Element {
  return [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
}

/** Neither hidden nor meant for screen readers only. */
export function isVisible(element: Element): boolean {
  const isShown = element.checkVisibility({
    opacityProperty: true,
    visibilityProperty: true,
    contentVisibilityAuto: true,
  });
  return isShown && !isForReadersOnly(element);
}

// Of one look at a page: most elements share those around them.
let forReadersOnly = new WeakMap<Element, boolean>();

/** A page that has changed is looked at anew. */
export function lookAnew(): void {
  forReadersOnly = new WeakMap();
}

/** Cut down to nothing, or kept out of the window until it has the focus. */
function isForReadersOnly(element: Element | null): boolean {
  if (element === null) return false;
  const known = forReadersOnly.get(element);
  if (known !== undefined) return known;
  const isCut = getComputedStyle(element).clipPath === 'inset(50%)';
  const is = isCut || isOutOfWindow(element) || isForReadersOnly(element.parentElement);
  forReadersOnly.set(element, is);
  return is;
}

function isOutOfWindow(element: Element): boolean {
  if (!element.matches('.skip-link')) return false;
  const { bottom, right } = element.getBoundingClientRect();
  return bottom <= 0 || right <= 0;
}

/** An element in a few words, so that whoever reads of it finds it. */
export function nameOf(element: Element): string {
  const names = [...element.classList].map((name) => `.${name}`).join('');
  const own = `${element.localName}${names}`;
  const words = (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 40);
  const label = element.getAttribute('aria-label') ?? words;
  const parent = element.parentElement?.classList.item(0);
  return `${parent ? `.${parent} > ` : ''}${own} “${label}”`;
}
