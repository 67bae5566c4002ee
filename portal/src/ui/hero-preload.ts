import { siteConfigElementId } from '@pointgate/contract/site-config.ts';
import { defaultHero, heroArt, narrowMedia } from './art.ts';

const placeholder = '{hero}';

/**
 * A script for the head of the page, right behind the site's config: which key art a site has stands
 * there, and a link that was written beforehand would load another site's.
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
        // A game of a platform has art of its own, whose name is not known yet.
        if (location.pathname.startsWith('/dream/recharge/')) return;
        const { theme } = JSON.parse(config.textContent);
        // A site that is not there now has no look either.
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
