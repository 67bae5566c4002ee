// All image URLs are built here. The art tools generate the files in these sizes.

const wideWidths = [960, 1440, 1920];
const tallWidths = [540, 828, 1080];

/** The default key art of a site. */
export const defaultHero = 'hero';
export const narrowMedia = '(max-width: 750px)';

/** The key art of a game: landscape for wide windows, portrait for phones. */
export function heroArt(name: string) {
  const setOf = (shape: string, widths: readonly number[]) =>
    widths.map((width) => `/art/${name}-${shape}-${width}.avif ${width}w`).join(', ');
  return {
    wide: { srcSet: setOf('wide', wideWidths), sizes: '100vw' },
    tall: { srcSet: setOf('tall', tallWidths), sizes: '106vw' },
    fallback: `/art/${name}-wide-1920.webp`,
  };
}

/** The key art as a card: three side by side, or two on a phone. */
export function cardArt(name: string) {
  return {
    wide: {
      srcSet: `/art/${name}-wide-960.avif 960w, /art/${name}-wide-1440.avif 1440w`,
      sizes: '(max-width: 1344px) 33vw, 424px',
    },
    tall: {
      media: narrowMedia,
      srcSet: `/art/${name}-tall-540.avif 540w`,
      sizes: '50vw',
    },
    fallback: `/art/${name}-wide-960.webp`,
  };
}

/**
 * The picture of an announcement, by the kind in its name: key art and its details fill the frame,
 * other pictures are objects without background and are fitted into it.
 */
export function newsArt(name: string) {
  const setOf = (widths: readonly number[]) =>
    widths.map((width) => `/art/${name}-${width}.avif ${width}w`).join(', ');
  if (name.endsWith('-wide')) {
    return { isScene: true, src: `/art/${name}-960.avif`, srcSet: setOf(wideWidths) };
  }
  if (name.endsWith('-tall')) {
    return { isScene: true, src: `/art/${name}-540.avif`, srcSet: setOf(tallWidths) };
  }
  if (/-detail-\d+$/.test(name)) {
    return { isScene: true, src: `/art/${name}-640.avif`, srcSet: undefined };
  }
  return { isScene: false, ...packArt(name) };
}

/** The picture of a pack in the size of a card. */
export function packArt(name: string) {
  return {
    src: `/art/${name}-384.avif`,
    srcSet: `/art/${name}-256.avif 256w, /art/${name}-384.avif 384w`,
  };
}

/** The picture of a pack as a thumbnail. */
export function packThumb(name: string) {
  return {
    src: `/art/${name}-96.avif`,
    srcSet: `/art/${name}-96.avif 1x, /art/${name}-256.avif 2x`,
  };
}

/** The logo of a site or a game: a small square cut from its art. */
export function logoArt(name: string): string {
  return `/art/${name}-160.webp`;
}

export const coinArt = '/art/coin-icon-96.webp';
export const avatarArt = '/art/avatar-160.webp';
