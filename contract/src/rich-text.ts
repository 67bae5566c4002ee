/**
 * What rich text may hold. The one list for the server, which cleans on the way in and on the way out,
 * and for the browser, which cleans once more: whatever is not named here is not shown.
 */
export const richTextTags = [
  'h2',
  'h3',
  'h4',
  'p',
  'br',
  'hr',
  'ul',
  'ol',
  'li',
  'strong',
  'b',
  'em',
  'i',
  'u',
  's',
  'small',
  'sub',
  'sup',
  'code',
  'blockquote',
  'figure',
  'figcaption',
  'a',
  'img',
  'table',
  'caption',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'th',
  'td',
] as const;

/** Looks that the portal's style sheet knows. */
export const richTextClasses = ['lead', 'note', 'warning', 'center'] as const;

type Accepts = (value: string) => boolean;

const isCount: Accepts = (value) => /^[1-9]\d{0,3}$/.test(value);

// Tags are looked up by what somebody wrote, so these are maps: an object would know `constructor`.
const attributes = new Map<string, ReadonlyMap<string, Accepts>>([
  ['a', new Map([['href', isLinkTarget]])],
  [
    'img',
    new Map<string, Accepts>([
      ['src', isOwnArt],
      ['alt', (value) => value.length <= 300],
      ['width', isCount],
      ['height', isCount],
    ]),
  ],
  ['ol', new Map([['start', isCount]])],
  [
    'th',
    new Map<string, Accepts>([
      ['scope', (value) => value === 'col' || value === 'row'],
      ['colspan', isCount],
      ['rowspan', isCount],
    ]),
  ],
  [
    'td',
    new Map([
      ['colspan', isCount],
      ['rowspan', isCount],
    ]),
  ],
]);

/** Every attribute that some tag may have. */
export const richTextAttributes: readonly string[] = [
  ...new Set([...attributes.values()].flatMap((named) => [...named.keys()])),
  'class',
  'rel',
];

/**
 * What is left of a tag's attributes. None at all means that the tag makes no sense without those it
 * lost: a link to nowhere, a picture from elsewhere.
 */
export function keptAttributes(
  tag: string,
  written: Readonly<Record<string, string>>,
): Record<string, string> | null {
  const valueAt = (name: string) => (Object.hasOwn(written, name) ? written[name] : undefined);
  const kept: Record<string, string> = {};
  for (const [name, accepts] of attributes.get(tag) ?? []) {
    const value = valueAt(name);
    if (value !== undefined && accepts(value)) kept[name] = value;
  }
  const classes = keptClasses(valueAt('class') ?? '');
  if (classes !== '') kept.class = classes;
  if (tag === 'img') return kept.src === undefined ? null : kept;
  if (tag !== 'a') return kept;
  return kept.href === undefined ? null : { ...kept, rel: 'noopener' };
}

function keptClasses(written: string): string {
  const known: readonly string[] = richTextClasses;
  return [...new Set(written.split(/\s+/))].filter((name) => known.includes(name)).join(' ');
}

/**
 * An address elsewhere over https, or a path of this site. Said as what it is and not as what it is
 * not: browsers forgive spaces, tabs, backslashes and signed-in names in addresses, this does not.
 */
export function isLinkTarget(address: string): boolean {
  return (
    /^https:\/\/[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?(?:[/?#][!-[\]-~\u{a1}-\u{10ffff}]*)?$/u.test(
      address,
    ) || /^\/(?:[!-.0-[\]-~\u{a1}-\u{10ffff}][!-[\]-~\u{a1}-\u{10ffff}]*)?$/u.test(address)
  );
}

/** A picture of the site's own; its name cannot lead out of the folder. */
export function isOwnArt(address: string): boolean {
  return /^\/art\/[a-z\d][a-z\d_-]*\.(?:avif|webp|png|jpg)$/.test(address);
}
