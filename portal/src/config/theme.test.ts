import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import page from '../../index.html?raw';
import { defaultHero, heroArt, logoArt } from '../ui/art.ts';
import { heroPreloadScript } from '../ui/hero-preload.ts';
import { contrast, mix } from './colours.ts';
import { applyTheme, tokensOf, wearTheme } from './theme.ts';

const tokens = readFileSync(join(import.meta.dirname, '../ui/tokens.css'), 'utf8');
const none = { accent: null, accentStrong: null, hero: null, logo: null };
const surfaces = ['#0a0b1a', '#0f1126', '#141733', '#1a1e40'];

// From the darkest to the lightest, and those that are hard to write on.
const accents = [
  '#000000',
  '#0b1f8f',
  '#1d4ed8',
  '#7c3aed',
  '#c2185b',
  '#e11d48',
  '#777777',
  '#16a34a',
  '#0ea5e9',
  '#ffb85c',
  '#ffee00',
  '#ffffff',
];

afterEach(() => document.documentElement.removeAttribute('style'));

function stopsOf(gradient: string): string[] {
  return [...gradient.matchAll(/#[\da-f]{6}/g)].map(String);
}

/** What `filter: brightness()` makes of a colour. */
function brighter(colour: string, factor: number): string {
  const parts = [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
  const lit = parts.map((part) => Math.min(255, Math.round(part * factor)));
  return `#${lit.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

describe.each(accents)('a site whose accent is %s', (accent) => {
  const read = (name: string, strong: string | null = null) =>
    tokensOf({ ...none, accent, accentStrong: strong })[name] ?? '';

  test('can be read wherever text stands in it', () => {
    for (const surface of surfaces) {
      expect(contrast(read('--accent-text'), surface)).toBeGreaterThanOrEqual(7);
    }
  });

  test.each([null, '#000000', '#ffffff', '#7c3aed'])(
    'can be read on its button, at rest and hovered, also with a strong accent of %s',
    (strong) => {
      const ink = read('--accent-ink', strong);
      const stops = stopsOf(read('--grad-cta', strong));
      expect(stops).toHaveLength(3);
      for (const stop of stops) {
        expect(contrast(ink, stop)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(brighter(ink, 1.05), brighter(stop, 1.05))).toBeGreaterThanOrEqual(4.5);
      }
    },
  );

  test('has a title that is seen on the dark art', () => {
    for (const stop of stopsOf(read('--grad-title'))) {
      expect(contrast(stop, '#0a0b1a')).toBeGreaterThanOrEqual(7);
    }
  });

  test('shows its button on the page', () => {
    expect(contrast(stopsOf(read('--grad-cta'))[1] ?? '', '#0a0b1a')).toBeGreaterThanOrEqual(3);
  });
});

test('a site without a theme looks as the portal does by itself', () => {
  applyTheme(none);
  expect(document.documentElement.getAttribute('style')).toBeNull();
});

test('every token that a theme sets is one that the portal has, and is set on the page', () => {
  const set = tokensOf({ ...none, accent: '#0ea5e9' });
  for (const name of Object.keys(set)) expect(tokens).toContain(`${name}:`);
  applyTheme({ ...none, accent: '#0ea5e9' });
  expect(document.documentElement.style.getPropertyValue('--accent-text')).toBe(
    set['--accent-text'],
  );
});

test('a look that is worn for a while is taken off again, down to the one before', () => {
  const accentOf = (accent: string) => tokensOf({ ...none, accent })['--accent-text'];
  const worn = () => document.documentElement.style.getPropertyValue('--accent-text');
  const takeOffFirst = wearTheme({ ...none, accent: '#0ea5e9' });
  const takeOffSecond = wearTheme({ ...none, accent: '#ff7a5c' });
  expect(worn()).toBe(accentOf('#ff7a5c'));
  takeOffSecond();
  expect(worn()).toBe(accentOf('#0ea5e9'));
  takeOffFirst();
  expect(worn()).toBe('');
});

test("a site's logo is its icon", () => {
  document.head.innerHTML = '<link rel="icon" type="image/svg+xml" href="/icon.svg">';
  applyTheme({ ...none, logo: 'solmere-icon' });
  const icon = document.querySelector('link[rel=icon]');
  expect(icon?.getAttribute('href')).toBe(logoArt('solmere-icon'));
  expect(icon?.hasAttribute('type')).toBe(false);
  document.head.innerHTML = '';
});

describe('the key art that the page asks for first', () => {
  function preloadsWith(config: string): HTMLLinkElement[] {
    document.head.innerHTML = config;
    new Function(heroPreloadScript())();
    const links = [...document.head.querySelectorAll<HTMLLinkElement>('link[rel=preload]')];
    document.head.innerHTML = '';
    return links;
  }
  const configOf = (hero: string | null) =>
    `<script type="application/json" id="site-config">${JSON.stringify({ theme: { hero } })}</script>`;

  test.each([
    [null, defaultHero],
    ['solmere-hero', 'solmere-hero'],
  ])('is, for %s, the one that it shows: %s', (hero, name) => {
    const [wide, tall] = preloadsWith(configOf(hero));
    // jsdom knows no property of that name, so it stands there as it was set.
    expect(Object(wide).imageSrcset).toBe(heroArt(name).wide.srcSet);
    expect(Object(tall).imageSrcset).toBe(heroArt(name).tall.srcSet);
    expect(tall?.media).toBe('(max-width: 750px)');
    expect(heroArt(name).wide.srcSet).toContain(`/art/${name}-wide-1440.avif 1440w`);
    expect(heroArt(name).tall.srcSet).toContain(`/art/${name}-tall-828.avif 828w`);
  });

  test('is nothing on a page without a config', () => {
    expect(preloadsWith('')).toEqual([]);
  });

  test('is not that of the platform on the page of one of its games', () => {
    window.history.replaceState(null, '', '/dream/recharge/solmere?system=ios');
    expect(preloadsWith(configOf('omni-hero'))).toEqual([]);
    window.history.replaceState(null, '', '/dream/home');
    expect(preloadsWith(configOf('omni-hero'))).toHaveLength(2);
  });

  test('is asked for after the config and by nothing else', () => {
    expect(page.indexOf('<!--site-config-->')).toBeLessThan(page.indexOf('<!--hero-preload-->'));
    expect(page).not.toContain('rel="preload"');
  });
});

test('mixing goes from the one to the other', () => {
  expect(mix('#102030', '#ffffff', 0)).toBe('#102030');
  expect(mix('#102030', '#ffffff', 1)).toBe('#ffffff');
  expect(mix('#000000', '#ffffff', 0.5)).toBe('#808080');
  expect(contrast('#000000', '#ffffff')).toBe(21);
});
