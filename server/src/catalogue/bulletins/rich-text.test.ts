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
 * Reads cleaned text by a grammar that has room for nothing else: text without a bracket, tags of the
 * list with attributes in double quotes, opened and closed in order. It throws at the first byte that
 * does not fit, so nothing is left for a browser to guess.
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

describe('hostile text', () => {
  test('comes in more than two hundred kinds', () => {
    expect(hostileHtml.length).toBeGreaterThan(200);
    expect(new Set(hostileHtml).size).toBe(hostileHtml.length);
  });

  test.each(hostileHtml)('is harmless once it is cleaned: %j', (html) => {
    const once = clean(html);
    expectHarmless(once);
    // On the way out it is cleaned again, which must not bring anything back to life.
    expect(clean(once)).toBe(once);
  });

  test.each(hostileHtml)('is harmless inside of what is allowed: %j', (html) => {
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
  });

  test('cannot be nested until a browser gives up', () => {
    const deep = clean(`${'<blockquote>'.repeat(5_000)}<script>alert(1)</script>`);
    expectHarmless(deep);
    expect(readStrictly(deep).length).toBeLessThan(30);
  });

  test('would be noticed: the grammar takes nothing else', () => {
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

describe('what is allowed', () => {
  const article =
    '<h2>Tidefall returns</h2><p class="lead">From <strong>Friday</strong> on, ' +
    '<a href="https://solmere.example/tidefall?a=1&amp;b=2#rules" rel="noopener">all rules</a>.</p>' +
    '<ul><li>One</li><li><em>Two</em></li></ul><ol start="3"><li>Three</li></ol>' +
    '<table><caption>Rewards</caption><thead><tr><th scope="col">Rank</th></tr></thead>' +
    '<tbody><tr><td colspan="2">1</td></tr></tbody></table>' +
    '<figure><img src="/art/shard1-384.avif" alt="" width="384" height="384" />' +
    '<figcaption>A shard</figcaption></figure><hr /><p>4 &lt; 5<br />光が沈む 🌊</p>';

  test('stays as it is, to the last byte', () => {
    expect(cleanRichText(article)).toEqual({ html: article, removed: [] });
    expectHarmless(article);
  });

  test('loses what it may not have, and the operator is told what that was', () => {
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

test('on the way out every text is cleaned for itself, however many there are', () => {
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
])('%s may be linked to', (address) => {
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
])('%j may not be linked to', (address) => {
  expect(isLinkTarget(address)).toBe(false);
});

test('pictures come from the art of the site, by a plain name', () => {
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
