import {
  keptAttributes,
  richTextAttributes,
  richTextClasses,
  richTextTags,
} from '@pointgate/contract/rich-text.ts';
import sanitizeHtml from 'sanitize-html';

/** Sanitized HTML, and what was removed, such as `<script>` or `<a onclick>`. */
export interface CleanedText {
  html: string;
  removed: string[];
}

const tags: readonly string[] = richTextTags;

// The content of these tags is not text for players, or browsers parse it differently.
const droppedWhole = [
  'applet',
  'audio',
  'canvas',
  'embed',
  'frameset',
  'head',
  'iframe',
  'listing',
  'math',
  'noembed',
  'noframes',
  'noscript',
  'object',
  'option',
  'plaintext',
  'script',
  'select',
  'style',
  'svg',
  'template',
  'textarea',
  'title',
  'video',
  'xmp',
];

/** Idempotent: sanitizing sanitized HTML changes no byte. */
export function cleanRichText(html: string): CleanedText {
  const removed = new Set<string>();
  const cleaned = sanitizeHtml(html, {
    allowedTags: [...richTextTags],
    allowedAttributes: { '*': [...richTextAttributes] },
    allowedClasses: { '*': [...richTextClasses] },
    allowedSchemes: ['https'],
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
    nonTextTags: droppedWhole,
    nestingLimit: 24,
    enforceHtmlBoundary: false,
    onOpenTag: (tag, written) => {
      for (const loss of lossesOf(tag, written)) removed.add(loss);
    },
    transformTags: {
      // Tags are never renamed, because the library would then close other tags.
      '*': (tagName, written) => ({ tagName, attribs: keptAttributes(tagName, written) ?? {} }),
    },
    exclusiveFilter: ({ tag, attribs }) =>
      keptAttributes(tag, attribs) === null ? 'excludeTag' : false,
  });
  return { html: cleaned, removed: [...removed].toSorted() };
}

const keptMax = 200;
const kept = new Map<string, string>();

/**
 * Sanitizes on read, cached per process: a large text takes tens of milliseconds and anybody may
 * request it, but texts are few and only operators write them.
 */
export function cleanForReaders(html: string): string {
  const known = kept.get(html);
  if (known !== undefined) return known;
  const cleaned = cleanRichText(html).html;
  if (kept.size >= keptMax) kept.clear();
  kept.set(html, cleaned);
  return cleaned;
}

function lossesOf(tag: string, written: Readonly<Record<string, string>>): string[] {
  const left = tags.includes(tag) ? keptAttributes(tag, written) : null;
  if (left === null) return [`<${tag}>`];
  return Object.keys(written)
    .filter((name) => left[name] !== written[name])
    .filter((name) => !(tag === 'a' && name === 'rel'))
    .map((name) => `<${tag} ${name}>`);
}
