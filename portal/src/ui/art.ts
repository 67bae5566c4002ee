// Every address of a picture is made here. The files are made by the art tools, in these sizes.

const wideWidths = [960, 1440, 1920];
const tallWidths = [540, 828, 1080];

/** The key art where a site names none. */
export const defaultHero = 'hero';
export const narrowMedia = '(max-width: 750px)';

/** The game's key art: lying for wide windows, standing for phones. */
export function heroArt(name: string) {
  const setOf = (shape: string, widths: readonly number[]) =>
    widths.map((width) => `/art/${name}-${shape}-${width}.avif ${width}w`).join(', ');
  return {
    wide: { srcSet: setOf('wide', wideWidths), sizes: '100vw' },
    tall: { srcSet: setOf('tall', tallWidths), sizes: '106vw' },
    fallback: `/art/${name}-wide-1920.webp`,
  };
}

/** A pack's picture at the size of a card. */
export function packArt(name: string) {
  return {
    src: `/art/${name}-384.avif`,
    srcSet: `/art/${name}-256.avif 256w, /art/${name}-384.avif 384w`,
  };
}

/** The same as a thumbnail. */
export function packThumb(name: string) {
  return {
    src: `/art/${name}-96.avif`,
    srcSet: `/art/${name}-96.avif 1x, /art/${name}-256.avif 2x`,
  };
}

/** The mark of a site or a game: a small square cut from its art. */
export function logoArt(name: string): string {
  return `/art/${name}-160.webp`;
}

export const coinArt = '/art/coin-icon-96.webp';
export const avatarArt = '/art/avatar-160.webp';
