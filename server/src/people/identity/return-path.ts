const pathCharactersMax = 2048;

// Ours: left over from an earlier return they would be taken for the next one.
const returnedFields = ['code', 'state', 'appleId', 'error', 'error_description'];

/**
 * A path of this site, whatever was asked for. Browsers, proxies and frameworks disagree about odd
 * addresses, so an odd one is not mended: it counts as the root.
 */
export function safeReturnPath(asked: string): string {
  if (asked.length > pathCharactersMax || !/^\/(?![/\\])/.test(asked)) return '/';
  if (!asked.isWellFormed() || hasOddCharacters(asked)) return '/';
  const url = URL.parse(asked, 'https://site.invalid');
  if (url === null || url.origin !== 'https://site.invalid') return '/';
  // Dots are resolved by now: `/.//host` has become `//host`.
  if (url.pathname.includes('//') || /%(2f|5c|25|[01]|7f)/i.test(url.pathname)) return '/';
  for (const name of returnedFields) url.searchParams.delete(name);
  return url.pathname + url.search;
}

/** Backslashes, blanks, control characters, and what a normalisation could make a slash, dot or @ of. */
function hasOddCharacters(text: string): boolean {
  if (/[\\\s\p{Cc}\p{Cf}]/u.test(text)) return true;
  return [...text].some(
    (character) => character > '\u007f' && /[/\\.:@?#%]/.test(character.normalize('NFKC')),
  );
}
