import type { SiteTheme } from '@pointgate/contract/site-config.ts';
import { logoArt } from '../ui/art.ts';
import { contrast, mix, rgb } from './colours.ts';

// The page's ground, the lightest surface that text stands on, and what can be read there.
const ground = '#0a0b1a';
const surface = '#1a1e40';
const textContrast = 7;
const buttonContrast = 5;

/**
 * Puts the site's look on the page. Called before anything is painted: the config comes with the page,
 * and all that the page shows without its scripts is the ground, which is the same for every site.
 */
export function applyTheme(theme: SiteTheme, page: Document = document): void {
  for (const [name, value] of Object.entries(tokensOf(theme))) {
    page.documentElement.style.setProperty(name, value);
  }
  if (theme.logo === null) return;
  const icon = page.querySelector<HTMLLinkElement>('link[rel=icon]');
  icon?.removeAttribute('type');
  icon?.setAttribute('href', logoArt(theme.logo));
}

/** Puts another look on the page. Returns the way back to the one before. */
export function wearTheme(theme: SiteTheme, page: Document = document): () => void {
  const { style } = page.documentElement;
  const worn = Object.entries(tokensOf(theme));
  const before = worn.map(([name]) => ({ name, value: style.getPropertyValue(name) }));
  for (const [name, value] of worn) style.setProperty(name, value);
  return () => {
    for (const { name, value } of before) style.setProperty(name, value);
  };
}

/**
 * The tokens that follow from a site's accent. An operator picks any colour, so each use of it is made
 * as light or as dark as its words need: text is lightened on the dark page, and what stands on the
 * button is dark or white, whichever reads better.
 */
export function tokensOf({ accent, accentStrong }: SiteTheme): Record<string, string> {
  if (accent === null) return {};
  const text = untilReadable(
    accent,
    '#ffffff',
    (colour) => contrast(colour, surface) >= textContrast,
  );
  // Whatever the colour, the button is seen.
  const seen = untilReadable(accent, '#ffffff', (colour) => contrast(colour, ground) >= 3);
  const { ink, stops } = buttonOf(seen, accentStrong ?? mix(seen, '#000000', 0.18));
  return {
    '--accent': text,
    '--accent-text': text,
    '--accent-ink': ink,
    '--accent-ground': `rgb(${rgb(accent)} / 0.16)`,
    '--accent-edge': `rgb(${rgb(text)} / 0.6)`,
    '--accent-glow': `rgb(${rgb(accent)} / 0.6)`,
    '--grad-cta': `linear-gradient(180deg, ${stops.join(', ')})`,
    '--grad-title': `linear-gradient(180deg, #ffffff, ${mix(text, '#ffffff', 0.7)} 42%, ${mix(text, '#ffffff', 0.3)} 78%, ${text})`,
  };
}

function buttonOf(accent: string, strong: string): { ink: string; stops: string[] } {
  const dark = mix(accent, '#000000', 0.88);
  const isDark = contrast(dark, accent) >= contrast('#ffffff', accent);
  const ink = isDark ? dark : '#ffffff';
  const away = isDark ? '#ffffff' : '#000000';
  const top = mix(accent, '#ffffff', isDark ? 0.35 : 0.08);
  // A hovered button is a little brighter, which takes from white words what dark ones gain.
  const needed = isDark ? buttonContrast : buttonContrast + 0.6;
  const stops = [top, accent, strong].map((stop) =>
    untilReadable(stop, away, (colour) => contrast(ink, colour) >= needed),
  );
  return { ink, stops };
}

/** The colour itself, or as little of the other in it as it takes. */
function untilReadable(
  colour: string,
  towards: string,
  isReadable: (colour: string) => boolean,
): string {
  const shares = Array.from({ length: 20 }, (_, step) => step / 20);
  const found = shares.map((share) => mix(colour, towards, share)).find(isReadable);
  return found ?? towards;
}
