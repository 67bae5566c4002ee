/** A decoded form body with nested groups. Lists have the keys 0, 1, 2, … */
export type Form = { [key: string]: string | Form };

/** Decodes `a[b][0][c]=d`. Throws when one key is used both as a value and as a group. */
export function decodeForm(encoded: string): Form {
  const form = emptyForm();
  for (const [key, value] of new URLSearchParams(encoded)) put(form, pathOf(key), value);
  return form;
}

/** A canonical text, independent of the order of the pairs, to compare two requests. */
export function canonicalForm(encoded: string): string {
  const pairs = [...new URLSearchParams(encoded)].map(([key, value]) =>
    JSON.stringify([key, value]),
  );
  return pairs.sort().join('\n');
}

function pathOf(key: string): string[] {
  const [first = '', ...rest] = key.split('[');
  return [first, ...rest.map((part) => (part.endsWith(']') ? part.slice(0, -1) : part))];
}

function put(form: Form, path: string[], value: string): void {
  const [head = '', ...rest] = path;
  // `expand[]=a&expand[]=b` is a list without indexes.
  const key = head === '' ? String(Object.keys(form).length) : head;
  if (rest.length === 0) {
    form[key] = value;
    return;
  }
  const group = form[key] ?? emptyForm();
  if (typeof group === 'string') throw new Error(`${key} is both a value and a group`);
  form[key] = group;
  put(group, rest, value);
}

// Without a prototype, a key named __proto__ is an ordinary key.
function emptyForm(): Form {
  return Object.create(null);
}
