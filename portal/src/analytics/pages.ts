// The words of the portal's own addresses; pages.test.ts holds them against the router.
const words = new Set([
  ...['403', 'account', 'detail', 'dream', 'epoint', 'event', 'home', 'login'],
  ...['main', 'order', 'page', 'receipt', 'recharge', 'reset', 'return', 'secure', 'user'],
]);

const partsMax = 6;

/**
 * The page at a path, without what is somebody's: `/main/recharge/detail/id`. Whatever is no word of
 * ours becomes `id`, for it is the number of an order, or what the writer of a link put there.
 */
export function pageOf(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  const shown = parts.slice(0, partsMax).map((part) => (words.has(part) ? part : 'id'));
  return `/${shown.join('/')}`;
}

export function currentPage(): string {
  return pageOf(window.location.pathname);
}
