import { shownTexts } from './texts.ts';
import { nameOf } from './visible.ts';

// Tolerance for rounding.
const slackPx = 2;
// With tight line heights the glyph box exceeds its line, and the clipped part is empty.
const slackEm = 0.25;

/** Reports a page that scrolls horizontally. */
export function findSideways(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth + 1) return [];
  const widest = [...document.body.querySelectorAll('*')]
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
    .map(nameOf);
  const blamed = widest.slice(0, 3).join(', ');
  return [`the page moves sideways: ${scrollWidth} px in a window of ${clientWidth}: ${blamed}`];
}

/** Reports text that is clipped by a container or outside of the window. */
export function findClipped(): string[] {
  const faults = shownTexts().flatMap(({ element, node }) => {
    const box = boxOf(node);
    if (box === undefined) return [];
    const cut = cutBy(element, box);
    return cut === undefined ? [] : [`text is cut off ${cut}: ${nameOf(element)}`];
  });
  return [...new Set(faults)];
}

type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;

/** The bounding box of all lines of a text. */
function boxOf(node: Text): Box | undefined {
  const range = document.createRange();
  range.selectNodeContents(node);
  const lines = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
  if (lines.length === 0) return undefined;
  return {
    left: Math.min(...lines.map(({ left }) => left)),
    right: Math.max(...lines.map(({ right }) => right)),
    top: Math.min(...lines.map(({ top }) => top)),
    bottom: Math.max(...lines.map(({ bottom }) => bottom)),
  };
}

function cutBy(element: Element, box: Box): string | undefined {
  const slackY = Math.max(slackPx, slackEm * Number.parseFloat(getComputedStyle(element).fontSize));
  let at: Element | null = element;
  // Content of a scroll container can be reached; further out the edges of the container count.
  let isScrolled = { x: false, y: false };
  while (at !== null && at !== document.body && at !== document.documentElement) {
    const { overflowX, overflowY, position } = getComputedStyle(at);
    const edges = innerBox(at);
    const isOutX = box.left < edges.left - slackPx || box.right > edges.right + slackPx;
    const isOutY = box.top < edges.top - slackY || box.bottom > edges.bottom + slackY;
    if (!isScrolled.x && isOutX && hides(overflowX)) return `sideways by ${nameOf(at)}`;
    if (!isScrolled.y && isOutY && hides(overflowY)) return `in height by ${nameOf(at)}`;
    isScrolled = {
      x: isScrolled.x || scrolls(overflowX),
      y: isScrolled.y || scrolls(overflowY),
    };
    if (position === 'fixed') break;
    at = at.parentElement;
  }
  const isOutside = box.left < -slackPx || box.right > window.innerWidth + slackPx;
  return isOutside && !isScrolled.x ? 'by the edge of the window' : undefined;
}

const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
const scrolls = (overflow: string) => overflow === 'auto' || overflow === 'scroll';

/** The clipping box of an element: the inner edge of its border. */
function innerBox(element: Element): Box {
  const { left, top } = element.getBoundingClientRect();
  const innerLeft = left + element.clientLeft;
  const innerTop = top + element.clientTop;
  return {
    left: innerLeft,
    top: innerTop,
    right: innerLeft + element.clientWidth,
    bottom: innerTop + element.clientHeight,
  };
}
