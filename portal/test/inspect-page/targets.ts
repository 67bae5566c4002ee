import { isVisible, nameOf, stage } from './visible.ts';

const pressable =
  'button, a[href], select, summary, [role=button], [role=tab], label:has(input[type=radio], input[type=checkbox]), input:not([type=radio], [type=checkbox], [type=hidden])';
// Finger tips are this wide; what is wider than the slack by rounding counts as as wide.
const sizeMin = 44;
const slackPx = 0.5;
const overlapPx = 3;

function targets(): HTMLElement[] {
  return [...stage().querySelectorAll<HTMLElement>(pressable)].filter(isVisible);
}

/** Two things to press, of which one lies on the other. */
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

/** A button inside a field, as the eye that shows a password. */
function areOneField(one: Element, other: Element): boolean {
  const field = [one, other].find((element) => element.matches('input, select'));
  return field?.parentElement?.contains(one === field ? other : one) ?? false;
}

/** What stays while the page moves below it, or is opened above it, is on a floor of its own. */
function floorOf(element: Element): Element {
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    const { position, zIndex } = getComputedStyle(at);
    if (position === 'fixed' || position === 'sticky') return at;
    if (position === 'absolute' && zIndex !== 'auto') return at;
    if (at.matches(':popover-open')) return at;
  }
  return document.body;
}

/** What a finger cannot be sure to hit. */
export function findSmallTargets(): string[] {
  return targets().flatMap((element) => {
    const { width, height } = element.getBoundingClientRect();
    const isLarge = width >= sizeMin - slackPx && height >= sizeMin - slackPx;
    if (isLarge || isInText(element) || reaches(element)) return [];
    const size = `${Math.round(width)}×${Math.round(height)}`;
    return [`${nameOf(element)} is ${size} px, too small for a finger`];
  });
}

/** A link inside a sentence is as tall as its line. */
function isInText(element: HTMLElement): boolean {
  if (!getComputedStyle(element).display.startsWith('inline')) return false;
  if (element.matches('input, select, button:not(.link)')) return false;
  const words = (node: Node | null) => node?.textContent?.trim().length ?? 0;
  return words(element.parentElement) > words(element);
}

/** It looks small and takes a press all around it, or in it lies something that does. */
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
