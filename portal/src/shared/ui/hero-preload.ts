import { allPages, patternOf } from '@pointgate/contract/pages.ts';
import { siteConfigElementId } from '@pointgate/contract/site-config.ts';
import { defaultHero, heroArt, narrowMedia } from './art.ts';

const placeholder = '{hero}';
const gamePattern = patternOf(
  ...allPages.flatMap((row) => ('keyArt' in row && row.keyArt === 'game' ? [row.path] : [])),
);

/**
 * An inline script after the site config, which names the key art of the site. A static preload
 * link would load the key art of another site.
 */
export function heroPreloadScript(): string {
  const { wide, tall } = heroArt(placeholder);
  const pictures = [
    { ...wide, media: `not all and ${narrowMedia}` },
    { ...tall, media: narrowMedia },
  ];
  return `
      (() => {
        const config = document.getElementById(${JSON.stringify(siteConfigElementId)});
        if (config === null) return;
        // A game of a platform has its own key art, whose name is not known yet.
        if (new RegExp(${JSON.stringify(gamePattern)}).test(location.pathname)) return;
        const { theme } = JSON.parse(config.textContent);
        // The config may be an error without a theme.
        if (!theme) return;
        const hero = theme.hero ?? ${JSON.stringify(defaultHero)};
        for (const { srcSet, sizes, media } of ${JSON.stringify(pictures)}) {
          const link = document.createElement('link');
          Object.assign(link, { rel: 'preload', as: 'image', type: 'image/avif', media });
          link.setAttribute('fetchpriority', 'high');
          link.imageSizes = sizes;
          link.imageSrcset = srcSet.replaceAll(${JSON.stringify(placeholder)}, hero);
          document.head.append(link);
        }
      })();
    `;
}
