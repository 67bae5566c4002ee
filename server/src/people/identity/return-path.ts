const pathCharactersMax = 2048;

// Parameters of a sign-in return: left over in the path, they would be mistaken for the next
// return.
const returnedFields = ['code', 'state', 'appleId', 'error', 'error_description'];

/**
 * Returns a path of this site for any input. Browsers, proxies and frameworks parse unusual URLs
 * differently, so these are not repaired but replaced by the root.
 */
export function safeReturnPath(asked: string): string {
  if (asked.length > pathCharactersMax || !/^\/(?![/\\])/.test(asked)) return '/';
  if (!asked.isWellFormed() || hasOddCharacters(asked)) return '/';
  const url = URL.parse(asked, 'https://site.invalid');
  if (url === null || url.origin !== 'https://site.invalid') return '/';
  // Dot segments are resolved here: `/.//host` has become `//host`.
  if (url.pathname.includes('//') || /%(2f|5c|25|[01]|7f)/i.test(url.pathname)) return '/';
  for (const name of returnedFields) url.searchParams.delete(name);
  return url.pathname + url.search;
}

/**
 * Backslashes, whitespace, control characters, and characters that Unicode normalisation could turn
 * into a slash, dot or @.
 */
function hasOddCharacters(text: string): boolean {
  if (/[\\\s\p{Cc}\p{Cf}]/u.test(text)) return true;
  return [...text].some(
    (character) => character > '\u007f' && /[/\\.:@?#%]/.test(character.normalize('NFKC')),
  );
}
