/**
 * The tags allowed in rich text. The server removes all others when storing and when serving a
 * text, and the browser removes them again.
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

/** Classes of the portal's style sheet. */
export const richTextClasses = ['lead', 'note', 'warning', 'center'] as const;

type Accepts = (value: string) => boolean;

const isCount: Accepts = (value) => /^[1-9]\d{0,3}$/.test(value);

// Maps, because tag names come from users and an object would contain `constructor`.
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

/** Every attribute that some tag allows. */
export const richTextAttributes: readonly string[] = [
  ...new Set([...attributes.values()].flatMap((named) => [...named.keys()])),
  'class',
  'rel',
];

/**
 * The allowed attributes of a tag; null if a required attribute was removed, such as the address of
 * a link or picture.
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
 * An https address elsewhere, or a path of this site. An allow list, because browsers accept
 * spaces, tabs, backslashes and user names in addresses.
 */
export function isLinkTarget(address: string): boolean {
  return (
    /^https:\/\/[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?(?:[/?#][!-[\]-~\u{a1}-\u{10ffff}]*)?$/u.test(
      address,
    ) || /^\/(?:[!-.0-[\]-~\u{a1}-\u{10ffff}][!-[\]-~\u{a1}-\u{10ffff}]*)?$/u.test(address)
  );
}

/** A picture in the site's art folder; the name cannot leave the folder. */
export function isOwnArt(address: string): boolean {
  return /^\/art\/[a-z\d][a-z\d_-]*\.(?:avif|webp|png|jpg)$/.test(address);
}
