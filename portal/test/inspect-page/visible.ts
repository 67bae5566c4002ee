/** The root of the inspection: the topmost dialog, or else the whole page. */
export function stage(): Element {
  return [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
}

/** Whether the element is neither hidden nor for screen readers only. */
export function isVisible(element: Element): boolean {
  const isShown = element.checkVisibility({
    opacityProperty: true,
    visibilityProperty: true,
    contentVisibilityAuto: true,
  });
  return isShown && !isForReadersOnly(element);
}

// A cache for one inspection, because most elements share their ancestors.
let forReadersOnly = new WeakMap<Element, boolean>();

/** Clears the cache before another inspection. */
export function lookAnew(): void {
  forReadersOnly = new WeakMap();
}

/** Clipped to nothing, or outside of the window until focused. */
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

/** A short description of an element for messages. */
export function nameOf(element: Element): string {
  const names = [...element.classList].map((name) => `.${name}`).join('');
  const own = `${element.localName}${names}`;
  const words = (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 40);
  const label = element.getAttribute('aria-label') ?? words;
  const parent = element.parentElement?.classList.item(0);
  return `${parent ? `.${parent} > ` : ''}${own} “${label}”`;
}
