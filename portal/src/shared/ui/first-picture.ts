import { aliasesOf, allPages, patternOf } from '@pointgate/contract/pages.ts';
import { siteConfigElementId } from '@pointgate/contract/site-config.ts';
import { defaultHero, heroArt, narrowMedia } from './art.ts';

// The pages that begin with key art, by address, with the classes that place the picture.
const places = allPages.flatMap((row) =>
  'keyArt' in row && row.keyArt !== 'game'
    ? [[patternOf(row.path, ...aliasesOf(row)), row.keyArt] as const]
    : [],
);

/** The classes of the key art at this address; `undefined` for pages without early key art. */
export function pictureAt(address: string): string | undefined {
  return places.find(([path]) => new RegExp(path).test(address))?.[1];
}

const placeholder = '{hero}';

/** The id of the template in the head that holds the scripts of the portal. */
export const startElementId = 'start';

// The maximum delay of the portal for a picture that has not been painted.
const patienceMs = 400;

/**
 * An inline script after the root element. It shows the key art before the code of the portal runs;
 * React first renders the same picture in the same place. The scripts are requested after the
 * picture is painted: they are five times as large and would delay the picture on a slow
 * connection.
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
          // Missing in development, and after the first call.
          const scripts = document.getElementById(${JSON.stringify(startElementId)});
          if (scripts === null) return;
          scripts.remove();
          const content = document.importNode(scripts.content, true);
          // In document order: otherwise the last script may run all its imports in one task.
          for (const script of content.querySelectorAll('script')) script.async = false;
          document.head.append(content);
        };
        const config = document.getElementById(${JSON.stringify(siteConfigElementId)});
        const place = ${JSON.stringify(places)}.find(([path]) => new RegExp(path).test(location.pathname));
        // The config may be an error without a theme.
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
        // The picture is the largest element. Browsers without LCP events use its load event.
        const painted = 'largest-contentful-paint';
        if (PerformanceObserver.supportedEntryTypes?.includes(painted)) {
          new PerformanceObserver(start).observe({ type: painted, buffered: true });
        } else image.addEventListener('load', () => requestAnimationFrame(start));
      })();
    `;
}
