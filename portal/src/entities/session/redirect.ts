import { homePath, pages } from '@pointgate/contract/pages.ts';

const loginPath = pages.common.login.path;

// An allow-list of characters for our own paths, because another site can be written as a path in
// many ways: //host, /\host, /%09/host, /./ /host, /..//host.
const ownPath = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9_.~-]*)+\/?$/;
// Characters of a normalised query: printable ASCII without spaces, quotes and backslashes.
const ownQuery = /^\?[\x21\x23-\x3b\x3d\x3f-\x5b\x5d-\x7e]*$/;
const lengthMax = 2000;

/** The path to return to after signing in, or `null` unless it is certainly a page of this site. */
export function toSafeRedirect(wanted: string | null): string | null {
  if (wanted === null || wanted.length > lengthMax) return null;
  const queryStart = wanted.indexOf('?');
  const path = queryStart === -1 ? wanted : wanted.slice(0, queryStart);
  const query = queryStart === -1 ? '' : wanted.slice(queryStart);
  if (!ownPath.test(path) || (query !== '' && !ownQuery.test(query))) return null;
  if (path === loginPath || path.startsWith(`${loginPath}/`)) return null; // Prevents a redirect loop.

  // Checked with the URL parser of the browser, too.
  const { origin } = window.location;
  const url = new URL(wanted, origin);
  return url.origin === origin && url.pathname === path ? wanted : null;
}

interface Address {
  pathname: string;
  search: string;
}

/** The sign-in address for a visitor of another page, who returns there unless it is the root. */
export function loginAddress({ pathname, search }: Address): string {
  const query = new URLSearchParams(search);
  query.delete('redirect');
  if (pathname !== '/') query.set('redirect', pathname + search);
  return withQuery(loginPath, query);
}

/** The address after sign-in, with the remaining query parameters of the sign-in page. */
export function addressAfterLogin(search: string): string {
  const query = new URLSearchParams(search);
  const wanted = toSafeRedirect(query.get('redirect')) ?? homePath;
  query.delete('redirect');

  const [path = homePath, wantedSearch = ''] = wanted.split(/\?(.*)/, 2);
  const merged = new URLSearchParams(wantedSearch);
  // The values of the sign-in page win: the language may have been changed there.
  for (const key of new Set(query.keys())) {
    merged.delete(key);
    for (const value of query.getAll(key)) merged.append(key, value);
  }
  return withQuery(path, merged);
}

function withQuery(path: string, query: URLSearchParams): string {
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}
