import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import page from '../../../index.html?raw';
import { givenShop, open, siteConfig } from '../../../test/shop.tsx';
import { defaultHero, heroArt } from './art.ts';
import { firstPictureScript, pictureAt, startElementId } from './first-picture.ts';

let tellOfPaint: (() => void) | undefined;

beforeEach(() => {
  tellOfPaint = undefined;
  vi.useFakeTimers();
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      static supportedEntryTypes = ['largest-contentful-paint'];
      constructor(tell: () => void) {
        tellOfPaint = tell;
      }
      observe() {}
    },
  );
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.head.innerHTML = '';
  document.body.innerHTML = '';
});

/** The page as the server sends it, up to the script. */
function givenPage(
  path: string,
  hero: string | null = 'solmere-hero',
  said: object = { theme: { hero } },
) {
  window.history.replaceState(null, '', path);
  const config = JSON.stringify(said);
  document.head.innerHTML = `
    <template id="${startElementId}"><script type="module" src="/assets/index.js"></script></template>
    <script type="application/json" id="site-config">${config}</script>`;
  document.body.innerHTML = '<div id="root"></div>';
  new Function(firstPictureScript())();
}
const scripts = () => document.head.querySelectorAll<HTMLScriptElement>(':scope > [type=module]');
const isStarted = () => scripts().length > 0;

test.each([
  ['/login', 'login'],
  ['/login/reset', 'login'],
  ['/', 'hero tall'],
  ['/main', 'hero tall'],
  ['/main/home', 'hero tall'],
  ['/main/recharge', 'hero short'],
  ['/dream/home', 'hero short'],
  ['/main/recharge/detail/1', 'order-page'],
])(
  'the hero picture shown on %s before the portal starts is in the element of class "%s"',
  (path, place) => {
    givenPage(path);
    const root = document.getElementById('root');
    expect(root?.firstElementChild?.className).toBe(place);
    expect(root?.querySelector('picture.key-art img')?.getAttribute('src')).toBe(
      heroArt('solmere-hero').fallback,
    );
    const [tall, wide] = root?.querySelectorAll('source') ?? [];
    expect(tall?.getAttribute('srcset')).toBe(heroArt('solmere-hero').tall.srcSet);
    expect(tall?.getAttribute('media')).toBe('(max-width: 750px)');
    expect(wide?.getAttribute('srcset')).toBe(heroArt('solmere-hero').wide.srcSet);
  },
);

test('a site without a hero picture of its own shows the default hero picture before the portal starts', () => {
  givenPage('/login', null);
  expect(document.querySelector('img')?.getAttribute('src')).toBe(heroArt(defaultHero).fallback);
});

test('the portal starts at once, without a hero picture, when the site config is an error response', () => {
  givenPage('/login', null, { isSuccess: false, code: 'SiteUnavailable' });
  expect(isStarted()).toBe(true);
  expect(document.querySelector('img')).toBeNull();
});

test('a hostile name of a hero picture in the site config cannot inject markup into the page', () => {
  givenPage('/login', '"><img src=x onerror=alert(1)>');
  expect(document.querySelectorAll('#root img')).toHaveLength(1);
  expect(document.querySelector('[onerror]')).toBeNull();
});

test.each(['/main/account/user', '/page/about-us', '/dream/recharge/solmere', '/403'])(
  'a portal page without an early hero picture starts the portal at once: %s',
  (path) => {
    givenPage(path);
    expect(pictureAt(path)).toBeUndefined();
    expect(document.getElementById('root')?.childElementCount).toBe(0);
    expect(isStarted()).toBe(true);
  },
);

test('the portal starts only once, as soon as the hero picture in index.html has been painted', () => {
  givenPage('/main/home');
  expect(isStarted()).toBe(false);
  tellOfPaint?.();
  tellOfPaint?.();
  vi.runAllTimers();
  expect(scripts()).toHaveLength(1);
});

test('the module scripts that start the portal are not async, so they run in order', () => {
  givenPage('/403');
  expect([...scripts()].map(({ async }) => async)).toEqual([false]);
});

test('a hero picture that does not load delays the start of the portal by at most 400 ms', () => {
  givenPage('/main/home');
  vi.advanceTimersByTime(399);
  expect(isStarted()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(isStarted()).toBe(true);
});

test('in index.html, the script that shows the hero picture comes after the site config and the root element that it uses', () => {
  const places = ['<!--site-config-->', '<div id="root">', '<!--first-picture-->'];
  const found = places.map((text) => page.indexOf(text));
  expect(found).toEqual(found.toSorted((a, b) => a - b));
  expect(found).not.toContain(-1);
});

test('while React loads the home page, the hero picture stays in the place where index.html showed it', async () => {
  vi.useRealTimers();
  givenShop();
  await open('/main/home', siteConfig);
  screen.getByRole('progressbar', { name: 'Loading' });
  expect(document.querySelector('.on-the-way > .hero.tall .key-art img')).toBeTruthy();
  await screen.findByRole('heading', { name: /Solmere/ });
});

test('a browser without paint timing starts the portal when the hero picture has loaded', () => {
  vi.stubGlobal('PerformanceObserver', class {});
  givenPage('/login');
  expect(isStarted()).toBe(false);
  document.querySelector('#root img')?.dispatchEvent(new Event('load'));
  vi.advanceTimersByTime(20);
  expect(isStarted()).toBe(true);
});
