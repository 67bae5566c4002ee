import { aliasesOf, allPages } from '@pointgate/contract/pages.ts';

const paths = allPages.flatMap((row) => [row.path, ...aliasesOf(row)]);
const words = new Set(paths.flatMap((path) => path.replace(/[:?].*/, '').split('/')));

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
