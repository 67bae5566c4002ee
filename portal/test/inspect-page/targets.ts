import { isVisible, nameOf, stage } from './visible.ts';

const pressable =
  'button, a[href], select, summary, [role=button], [role=tab], label:has(input[type=radio], input[type=checkbox]), input:not([type=radio], [type=checkbox], [type=hidden])';
// The minimum size of touch targets, with a tolerance for rounding.
const sizeMin = 44;
const slackPx = 0.5;
const overlapPx = 3;

function targets(): HTMLElement[] {
  return [...stage().querySelectorAll<HTMLElement>(pressable)].filter(isVisible);
}

/** Reports overlapping touch targets. */
export function findOverlaps(): string[] {
  const all = targets().map((element) => ({ element, box: element.getBoundingClientRect() }));
  return all.flatMap((one, index) =>
    all
      .slice(index + 1)
      .filter(
        (other) =>
          cover(one.box, other.box) &&
          !one.element.contains(other.element) &&
          !other.element.contains(one.element) &&
          !areOneField(one.element, other.element) &&
          floorOf(one.element) === floorOf(other.element),
      )
      .map((other) => `${nameOf(one.element)} lies on ${nameOf(other.element)}`),
  );
}

function cover(one: DOMRect, other: DOMRect): boolean {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return width > overlapPx && height > overlapPx;
}

/** Whether one element is a button inside a field, such as the one that shows a password. */
function areOneField(one: Element, other: Element): boolean {
  const field = [one, other].find((element) => element.matches('input, select'));
  return field?.parentElement?.contains(one === field ? other : one) ?? false;
}

/** The layer of an element: fixed and sticky elements and open panels are layers of their own. */
function floorOf(element: Element): Element {
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    const { position, zIndex } = getComputedStyle(at);
    if (position === 'fixed' || position === 'sticky') return at;
    if (position === 'absolute' && zIndex !== 'auto') return at;
    if (at.matches(':popover-open')) return at;
  }
  return document.body;
}

/** Reports touch targets that are too small. */
export function findSmallTargets(): string[] {
  return targets().flatMap((element) => {
    const { width, height } = element.getBoundingClientRect();
    const isLarge = width >= sizeMin - slackPx && height >= sizeMin - slackPx;
    if (isLarge || isInText(element) || reaches(element)) return [];
    const size = `${Math.round(width)}×${Math.round(height)}`;
    return [`${nameOf(element)} is ${size} px, too small for a finger`];
  });
}

/** Whether the link is inside a sentence, where it has the height of its line. */
function isInText(element: HTMLElement): boolean {
  if (!getComputedStyle(element).display.startsWith('inline')) return false;
  if (element.matches('input, select, button:not(.link)')) return false;
  const words = (node: Node | null) => node?.textContent?.trim().length ?? 0;
  return words(element.parentElement) > words(element);
}

/** Whether the target takes clicks in a large enough area around or inside it. */
function reaches(element: HTMLElement): boolean {
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const { left, top, width, height } = element.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const far = sizeMin / 2 - 1;
  const [dx, dy] = [Math.max(far, width / 2 - 1), Math.max(far, height / 2 - 1)];
  const probes = [
    [x - dx, y],
    [x + dx, y],
    [x, y - dy],
    [x, y + dy],
  ] as const;
  return probes.every(([px, py]) => {
    const hit = document.elementFromPoint(px, py);
    return hit !== null && (element.contains(hit) || hit.closest('label')?.control === element);
  });
}
