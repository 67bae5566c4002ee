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

/** Cut down to nothing, or kept out of the window until it has the focus. */
function isForReadersOnly(element: Element): boolean {
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    const { bottom, right } = at.getBoundingClientRect();
    if (getComputedStyle(at).clipPath === 'inset(50%)') return true;
    if (at.matches('.skip-link') && (bottom <= 0 || right <= 0)) return true;
  }
  return false;
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
