import { siteConfigElementId } from '@pointgate/contract/site-config.ts';
import { defaultHero, heroArt, narrowMedia } from './art.ts';

// The pages that begin with the key art, by address, and the classes that place it there.
const places: readonly (readonly [path: string, className: string])[] = [
  ['^/login(/|$)', 'login'],
  ['^/(main(/home)?/?)?$', 'hero tall'],
  ['^/(main/recharge|dream/home)/?$', 'hero short'],
  ['^/main/recharge/detail/', 'order-page'],
];

/** How the key art is placed on the page at this address; `undefined` where no picture is foreseen. */
export function pictureAt(address: string): string | undefined {
  return places.find(([path]) => new RegExp(path).test(address))?.[1];
}

const placeholder = '{hero}';

/** The template in the page's head that holds the portal's scripts. */
export const startElementId = 'start';

// Enough for a picture that is on the way; without it, the portal has waited long enough.
const patienceMs = 400;

/**
 * A script for the body of the page, right behind its root. It shows the key art before any of the
 * portal's own code has run; the first thing that React draws is the same picture in the same place.
 * The scripts are asked for when the picture is painted. They are five times as heavy, and on a slow line
 * the picture would come as late as they do.
 */
export function firstPictureScript(): string {
  const { wide, tall, fallback } = heroArt(placeholder);
  const sourceOf = ({ srcSet, sizes }: typeof wide) => ({ srcset: srcSet, sizes });
  const type = 'image/avif';
  const sources = [
    { media: narrowMedia, type, ...sourceOf(tall) },
    { type, ...sourceOf(wide) },
  ];
  const image = {
    src: fallback,
    alt: '',
    width: '1920',
    height: '1012',
    fetchpriority: 'high',
    decoding: 'sync',
  };
  return `
      (() => {
        const start = () => {
          // In development there is none. A second call finds none either.
          const scripts = document.getElementById(${JSON.stringify(startElementId)});
          if (scripts === null) return;
          scripts.remove();
          const content = document.importNode(scripts.content, true);
          // In their order, else the last may run all that it needs at once.
          for (const script of content.querySelectorAll('script')) script.async = false;
          document.head.append(content);
        };
        const config = document.getElementById(${JSON.stringify(siteConfigElementId)});
        const place = ${JSON.stringify(places)}.find(([path]) => new RegExp(path).test(location.pathname));
        // A site that is not there now has no look either.
        const theme = config && JSON.parse(config.textContent).theme;
        if (!theme || place === undefined) return start();
        const hero = theme.hero ?? ${JSON.stringify(defaultHero)};
        const element = (name, attributes, ...inner) => {
          const made = document.createElement(name);
          for (const [key, value] of Object.entries(attributes)) {
            made.setAttribute(key, value.replaceAll(${JSON.stringify(placeholder)}, hero));
          }
          made.append(...inner);
          return made;
        };
        const sources = ${JSON.stringify(sources)}.map((source) => element('source', source));
        const image = element('img', ${JSON.stringify(image)});
        const picture = element('picture', { class: 'key-art' }, ...sources, image);
        document.getElementById('root').append(element('div', { class: place[1] }, picture));
        setTimeout(start, ${patienceMs});
        // The picture is the largest thing there is. Browsers that do not tell of that know when it came.
        const painted = 'largest-contentful-paint';
        if (PerformanceObserver.supportedEntryTypes?.includes(painted)) {
          new PerformanceObserver(start).observe({ type: painted, buffered: true });
        } else image.addEventListener('load', () => requestAnimationFrame(start));
      })();
    `;
}
