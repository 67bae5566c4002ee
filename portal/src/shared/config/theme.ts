import type { SiteTheme } from '@pointgate/contract/site-config.ts';
import { logoArt } from '../ui/art.ts';
import { contrast, mix, rgb } from './colours.ts';

// The page background, the lightest surface below text, and the required contrasts.
const ground = '#0a0b1a';
const surface = '#1a1e40';
const textContrast = 7;
const buttonContrast = 5;

/**
 * Applies the theme of the site. Called before the first paint: the config comes with the page, and
 * without scripts the page shows only its background, which is the same for every site.
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

/** Applies another theme. Returns the function that restores the previous theme. */
export function applyThemeTemporarily(theme: SiteTheme, page: Document = document): () => void {
  const { style } = page.documentElement;
  const worn = Object.entries(tokensOf(theme));
  const before = worn.map(([name]) => ({ name, value: style.getPropertyValue(name) }));
  for (const [name, value] of worn) style.setProperty(name, value);
  return () => {
    for (const { name, value } of before) style.setProperty(name, value);
  };
}

/**
 * The design tokens derived from the accent of a site. An operator may pick any colour, so each use
 * is adjusted for contrast: text is lightened on the dark page, and the text on a button is dark or
 * white, whichever has more contrast.
 */
export function tokensOf({ accent, accentStrong }: SiteTheme): Record<string, string> {
  if (accent === null) return {};
  const text = untilReadable(
    accent,
    '#ffffff',
    (colour) => contrast(colour, surface) >= textContrast,
  );
  // The button stays visible with any colour.
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
  // A hovered button is brighter, which lowers the contrast of white text.
  const needed = isDark ? buttonContrast : buttonContrast + 0.6;
  const stops = [top, accent, strong].map((stop) =>
    untilReadable(stop, away, (colour) => contrast(ink, colour) >= needed),
  );
  return { ink, stops };
}

/** Mixes in as little of the other colour as the contrast requires. */
function untilReadable(
  colour: string,
  towards: string,
  isReadable: (colour: string) => boolean,
): string {
  const shares = Array.from({ length: 20 }, (_, step) => step / 20);
  const found = shares.map((share) => mix(colour, towards, share)).find(isReadable);
  return found ?? towards;
}
