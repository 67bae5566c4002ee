import {
  isLinkTarget,
  isOwnArt,
  keptAttributes,
  richTextAttributes,
  richTextTags,
} from '@pointgate/contract/rich-text.ts';
import { describe, expect, test } from 'vitest';
import { hostileHtml } from '../../../../contract/test/hostile-html.ts';
import { cleanForReaders, cleanRichText } from './rich-text.ts';

const clean = (html: string) => cleanRichText(html).html;

const voidTags = ['br', 'hr', 'img'];

/**
 * Parses sanitized HTML by a strict grammar: text without brackets, allowed tags with attributes in
 * double quotes, opened and closed in order. It throws at the first byte that does not fit, so that
 * no browser can read the text differently.
 */
function readStrictly(html: string): { tag: string; attributes: Record<string, string> }[] {
  const found: { tag: string; attributes: Record<string, string> }[] = [];
  const open: string[] = [];
  const token =
    /([^<>&]+)|&(?:amp|lt|gt|quot|#\d+|#x[\da-f]+);|<\/([a-z\d]+)>|<([a-z\d]+)((?: [a-z]+="[^"<>]*")*)( \/)?>/y;
  while (token.lastIndex < html.length) {
    const at = token.lastIndex;
    const match = token.exec(html);
    if (match === null) throw new Error(`does not fit at ${at}: ${html.slice(at, at + 40)}`);
    const [, , closed, opened, written = '', selfClosed] = match;
    if (closed !== undefined && open.pop() !== closed)
      throw new Error(`</${closed}> closes nothing`);
    if (opened === undefined) continue;
    if (voidTags.includes(opened) !== (selfClosed !== undefined)) throw new Error(`<${opened}>`);
    if (selfClosed === undefined) open.push(opened);
    const attributes = Object.fromEntries(
      [...written.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
        name,
        value.replace(/&(amp|lt|gt|quot);/g, (_, entity) => entities[entity] ?? ''),
      ]),
    );
    found.push({ tag: opened, attributes });
  }
  if (open.length > 0) throw new Error(`<${open.join('><')}> stays open`);
  return found;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };

function expectHarmless(html: string): void {
  for (const { tag, attributes } of readStrictly(html)) {
    expect(richTextTags).toContain(tag);
    expect(keptAttributes(tag, attributes)).toEqual(attributes);
    expect(Object.keys(attributes).filter((name) => !richTextAttributes.includes(name))).toEqual(
      [],
    );
  }
}

describe('hostile HTML', () => {
  test('the tests of the HTML sanitizer cover more than two hundred different samples of hostile HTML', () => {
    expect(hostileHtml.length).toBeGreaterThan(200);
    expect(new Set(hostileHtml).size).toBe(hostileHtml.length);
  });

  test.each(hostileHtml)('hostile HTML is harmless after sanitizing: %j', (html) => {
    const once = clean(html);
    expectHarmless(once);
    // Reading sanitizes again, which must not change the result.
    expect(clean(once)).toBe(once);
  });

  test.each(hostileHtml)(
    'hostile HTML inside allowed tags is harmless after sanitizing: %j',
    (html) => {
      for (const around of [
        `<p>${html}</p>`,
        `<table><tr><td>${html}</td></tr></table>`,
        `<a href="/main">${html}</a>`,
        `<ul><li>${html}`,
        `<p class="note">before</p>${html}<h2>after</h2>`,
      ]) {
        const once = clean(around);
        expectHarmless(once);
        expect(clean(once)).toBe(once);
      }
    },
  );

  test('the HTML sanitizer cuts hostile HTML with thousands of nested tags to a small depth', () => {
    const deep = clean(`${'<blockquote>'.repeat(5_000)}<script>alert(1)</script>`);
    expectHarmless(deep);
    expect(readStrictly(deep).length).toBeLessThan(30);
  });

  test('the strict parser that checks the HTML sanitizer in tests rejects unsanitized HTML', () => {
    for (const html of [
      '<script>alert(1)</script>',
      '<p onclick="alert(1)">a</p>',
      '<a href="javascript:alert(1)" rel="noopener">a</a>',
      '<a href="/main">a</a>',
      '<img src="https://evil.example/a.png" />',
      '<p class="modal">a</p>',
      '<p style="color:red">a</p>',
    ]) {
      expect(() => expectHarmless(html), html).toThrow();
    }
    for (const html of [
      '<p>',
      '</p>',
      '<p>a</b></p>',
      '<p a=b>c</p>',
      'a < b',
      '&x;',
      '<!-- -->',
    ]) {
      expect(() => readStrictly(html), html).toThrow();
    }
  });
});

describe('allowed HTML', () => {
  const article =
    '<h2>Tidefall returns</h2><p class="lead">From <strong>Friday</strong> on, ' +
    '<a href="https://solmere.example/tidefall?a=1&amp;b=2#rules" rel="noopener">all rules</a>.</p>' +
    '<ul><li>One</li><li><em>Two</em></li></ul><ol start="3"><li>Three</li></ol>' +
    '<table><caption>Rewards</caption><thead><tr><th scope="col">Rank</th></tr></thead>' +
    '<tbody><tr><td colspan="2">1</td></tr></tbody></table>' +
    '<figure><img src="/art/shard1-384.avif" alt="" width="384" height="384" />' +
    '<figcaption>A shard</figcaption></figure><hr /><p>4 &lt; 5<br />光が沈む 🌊</p>';

  test('allowed HTML passes the HTML sanitizer unchanged', () => {
    expect(cleanRichText(article)).toEqual({ html: article, removed: [] });
    expectHarmless(article);
  });

  test('the HTML sanitizer removes forbidden tags and attributes and lists them', () => {
    expect(
      cleanRichText(
        '<h1>Title</h1><p style="color:red" class="note big" onclick="x()">text<script>x()</script></p>' +
          '<a href="javascript:x()">link</a><a href="/main" rel="opener" target="_blank">home</a>' +
          '<img src="https://elsewhere.example/a.png" alt="a"><iframe src="/x">b</iframe>',
      ),
    ).toEqual({
      html: 'Title<p class="note">text</p>link<a href="/main" rel="noopener">home</a>',
      removed: [
        '<a target>',
        '<a>',
        '<h1>',
        '<iframe>',
        '<img>',
        '<p class>',
        '<p onclick>',
        '<p style>',
        '<script>',
      ],
    });
  });
});

test('the cached HTML sanitizer returns the right result for each of many texts', () => {
  for (let round = 0; round < 2; round += 1) {
    for (let index = 0; index < 450; index += 1) {
      expect(cleanForReaders(`<p onclick="x()">${index}</p>`)).toBe(`<p>${index}</p>`);
    }
  }
});

test.each([
  'https://solmere.example',
  'https://solmere.example/',
  'https://xn--bcher-kva.example:8443/a?b=c#d',
  'https://solmere.example/ニュース',
  '/',
  '/main/recharge?lng=de-DE',
  '/main/event/detail/tidefall#top',
])('the URL %s is an allowed link target in HTML of bulletins and pages', (address) => {
  expect(isLinkTarget(address)).toBe(true);
});

test.each([
  '',
  '//evil.example',
  '/\\evil.example',
  'http://solmere.example',
  'HTTPS://solmere.example',
  'https://user@solmere.example',
  'https://solmere.example\\@evil.example',
  'https:///evil.example',
  'https://.evil.example',
  'https://solmere.example/a b',
  '/a\tb',
  ' /main',
  'main',
  'javascript:alert(1)',
])('the URL %j is not an allowed link target in HTML of bulletins and pages', (address) => {
  expect(isLinkTarget(address)).toBe(false);
});

test("a picture in HTML of bulletins and pages is allowed only from the site's /art/ folder, by a plain file name", () => {
  expect(isOwnArt('/art/hero-wide-1440.webp')).toBe(true);
  for (const address of [
    '/art/../icon.svg',
    '/art/a/b.png',
    '/art/a.svg',
    '/art/a.png?x',
    '/api/user/logout',
    'art/a.png',
    'https://solmere.example/art/a.png',
  ]) {
    expect([address, isOwnArt(address)]).toEqual([address, false]);
  }
});
