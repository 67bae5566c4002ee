type Place = 'localStorage' | 'sessionStorage';

// Some webviews and private windows refuse to keep anything. Then there is nothing to remember.

export function readKept(place: Place, name: string): unknown {
  try {
    return JSON.parse(window[place].getItem(name) ?? 'null');
  } catch {
    return null;
  }
}

export function keep(place: Place, name: string, value: unknown): void {
  try {
    window[place].setItem(name, JSON.stringify(value));
  } catch {}
}

/** The fields of what was kept, of which nothing is known: an older build may have written it. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
