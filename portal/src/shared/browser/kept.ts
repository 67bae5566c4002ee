/** `localStorage` lasts beyond the visit, `sessionStorage` as long as the tab. */
type Place = 'localStorage' | 'sessionStorage';

// Some web views and private windows refuse to store anything, others only when full. Refused
// values are kept here for the lifetime of the page.
const onThisPage: Record<Place, Map<string, string>> = {
  localStorage: new Map(),
  sessionStorage: new Map(),
};

export function readText(place: Place, name: string): string | null {
  const refused = onThisPage[place].get(name) ?? null;
  return refused ?? attempt(() => window[place].getItem(name)) ?? null;
}

/** Returns whether the value survives a page load. */
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

/** Clears all values stored for this tab. */
export function forgetTab(): void {
  onThisPage.sessionStorage.clear();
  attempt(() => window.sessionStorage.clear());
}

/** The value stored with `keep`; `null` if it is missing or malformed. */
export function readKept(place: Place, name: string): unknown {
  return attempt(() => JSON.parse(readText(place, name) ?? 'null')) ?? null;
}

export function keep(place: Place, name: string, value: unknown): void {
  keepText(place, name, JSON.stringify(value));
}

/** The fields of a stored value of unknown shape, which an older build may have written. */
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
