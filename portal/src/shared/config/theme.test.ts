import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import page from '../../../index.html?raw';
import { defaultHero, heroArt, logoArt } from '../ui/art.ts';
import { heroPreloadScript } from '../ui/hero-preload.ts';
import { contrast, mix } from './colours.ts';
import { applyTheme, applyThemeTemporarily, tokensOf } from './theme.ts';

const tokens = readFileSync(join(import.meta.dirname, '../ui/tokens.css'), 'utf8');
const none = { accent: null, accentStrong: null, hero: null, logo: null };
const surfaces = ['#0a0b1a', '#0f1126', '#141733', '#1a1e40'];

// Dark to light, including mid-tones with little contrast to both black and white.
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

describe.each(accents)('the accent colour %s', (accent) => {
  const read = (name: string, strong: string | null = null) =>
    tokensOf({ ...none, accent, accentStrong: strong })[name] ?? '';

  test('text in the accent color of any theme has a contrast of at least 7 on every surface', () => {
    for (const surface of surfaces) {
      expect(contrast(read('--accent-text'), surface)).toBeGreaterThanOrEqual(7);
    }
  });

  test.each([null, '#000000', '#ffffff', '#7c3aed'])(
    'button text of a theme has a contrast of at least 4.5, at rest and hovered, with the strong accent color %s',
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

  test('the title gradient of any theme has a contrast of at least 7 on a dark hero picture', () => {
    for (const stop of stopsOf(read('--grad-title'))) {
      expect(contrast(stop, '#0a0b1a')).toBeGreaterThanOrEqual(7);
    }
  });

  test('the main button of any theme has a contrast of at least 3 to the page background', () => {
    expect(contrast(stopsOf(read('--grad-cta'))[1] ?? '', '#0a0b1a')).toBeGreaterThanOrEqual(3);
  });
});

test('a site without a theme of its own keeps the default look of the portal', () => {
  applyTheme(none);
  expect(document.documentElement.getAttribute('style')).toBeNull();
});

test('every CSS design token that a theme sets exists in tokens.css, and the accent token is applied to the page', () => {
  const set = tokensOf({ ...none, accent: '#0ea5e9' });
  for (const name of Object.keys(set)) expect(tokens).toContain(`${name}:`);
  applyTheme({ ...none, accent: '#0ea5e9' });
  expect(document.documentElement.style.getPropertyValue('--accent-text')).toBe(
    set['--accent-text'],
  );
});

test('a portal theme applied on top of another theme restores the theme below when it is removed', () => {
  const accentOf = (accent: string) => tokensOf({ ...none, accent })['--accent-text'];
  const worn = () => document.documentElement.style.getPropertyValue('--accent-text');
  const takeOffFirst = applyThemeTemporarily({ ...none, accent: '#0ea5e9' });
  const takeOffSecond = applyThemeTemporarily({ ...none, accent: '#ff7a5c' });
  expect(worn()).toBe(accentOf('#ff7a5c'));
  takeOffSecond();
  expect(worn()).toBe(accentOf('#0ea5e9'));
  takeOffFirst();
  expect(worn()).toBe('');
});

test('the logo of a site is used as the favicon', () => {
  document.head.innerHTML = '<link rel="icon" type="image/svg+xml" href="/icon.svg">';
  applyTheme({ ...none, logo: 'solmere-icon' });
  const icon = document.querySelector('link[rel=icon]');
  expect(icon?.getAttribute('href')).toBe(logoArt('solmere-icon'));
  expect(icon?.hasAttribute('type')).toBe(false);
  document.head.innerHTML = '';
});

describe('key art preload', () => {
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
  ])(
    'a page whose site has the hero picture %s in its theme preloads the picture %s',
    (hero, name) => {
      const [wide, tall] = preloadsWith(configOf(hero));
      // jsdom does not implement imageSrcset, so the value is a plain property here.
      expect(Object(wide).imageSrcset).toBe(heroArt(name).wide.srcSet);
      expect(Object(tall).imageSrcset).toBe(heroArt(name).tall.srcSet);
      expect(tall?.media).toBe('(max-width: 750px)');
      expect(heroArt(name).wide.srcSet).toContain(`/art/${name}-wide-1440.avif 1440w`);
      expect(heroArt(name).tall.srcSet).toContain(`/art/${name}-tall-828.avif 828w`);
    },
  );

  test('a portal page without a site config preloads no hero picture', () => {
    expect(preloadsWith('')).toEqual([]);
  });

  test('the page of a game on a game hub does not preload the hero picture of the hub', () => {
    window.history.replaceState(null, '', '/dream/recharge/solmere?system=ios');
    expect(preloadsWith(configOf('omni-hero'))).toEqual([]);
    window.history.replaceState(null, '', '/dream/home');
    expect(preloadsWith(configOf('omni-hero'))).toHaveLength(2);
  });

  test('index.html preloads a hero picture only by the script that comes after the site config', () => {
    expect(page.indexOf('<!--site-config-->')).toBeLessThan(page.indexOf('<!--hero-preload-->'));
    expect(page).not.toContain('rel="preload"');
  });
});

test('the color functions mix() and contrast() of the portal return known values for black, white and dark blue', () => {
  expect(mix('#102030', '#ffffff', 0)).toBe('#102030');
  expect(mix('#102030', '#ffffff', 1)).toBe('#ffffff');
  expect(mix('#000000', '#ffffff', 0.5)).toBe('#808080');
  expect(contrast('#000000', '#ffffff')).toBe(21);
});
