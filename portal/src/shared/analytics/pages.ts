// The path segments of the portal's own pages; pages.test.ts compares them with the router.
const words = new Set([
  ...['403', 'account', 'detail', 'dream', 'epoint', 'event', 'home', 'login'],
  ...['main', 'order', 'page', 'receipt', 'recharge', 'reset', 'return', 'secure', 'user'],
]);

const partsMax = 6;

/**
 * The page name of a path without personal data: `/main/recharge/detail/id`. An unknown segment
 * becomes `id`, because it is an order id or free text from the author of a link.
 */
export function pageOf(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  const shown = parts.slice(0, partsMax).map((part) => (words.has(part) ? part : 'id'));
  return `/${shown.join('/')}`;
}

export function currentPage(): string {
  return pageOf(window.location.pathname);
}
