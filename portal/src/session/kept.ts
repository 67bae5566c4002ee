/** `localStorage` is for the next visit, `sessionStorage` for this tab. */
type Place = 'localStorage' | 'sessionStorage';

// Some webviews and private windows refuse to keep anything, some only when they are full. What they
// refuse lives here, as long as the page.
const onThisPage: Record<Place, Map<string, string>> = {
  localStorage: new Map(),
  sessionStorage: new Map(),
};

export function readText(place: Place, name: string): string | null {
  const refused = onThisPage[place].get(name) ?? null;
  return refused ?? attempt(() => window[place].getItem(name)) ?? null;
}

/** Says whether it will be there on the next page, too. */
export function keepText(place: Place, name: string, text: string): boolean {
  const isKept = attempt(() => {
    window[place].setItem(name, text);
    return true;
  });
  if (isKept === true) onThisPage[place].delete(name);
  else onThisPage[place].set(name, text);
  return isKept === true;
}

export function forget(place: Place, name: string): void {
  onThisPage[place].delete(name);
  attempt(() => window[place].removeItem(name));
}

/** Forgets all that was kept in this tab. */
export function forgetTab(): void {
  onThisPage.sessionStorage.clear();
  attempt(() => window.sessionStorage.clear());
}

/** What was kept with `keep`; `null` if there is nothing, or nothing that can be read. */
export function readKept(place: Place, name: string): unknown {
  return attempt(() => JSON.parse(readText(place, name) ?? 'null')) ?? null;
}

export function keep(place: Place, name: string, value: unknown): void {
  keepText(place, name, JSON.stringify(value));
}

/** The fields of what was kept, of which nothing is known: an older build may have written it. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
