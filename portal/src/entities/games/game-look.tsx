import type { SiteTheme } from '@pointgate/contract/site-config.ts';
import { type ReactNode, useLayoutEffect, useMemo } from 'react';
import { SiteConfigProvider, useSiteConfig } from '../../shared/config/site-config.tsx';
import { applyThemeTemporarily } from '../../shared/config/theme.ts';

/** Applies the theme of a game to a page of a game hub, including the navigation. */
export function GameLook({ theme, children }: { theme: SiteTheme; children: ReactNode }) {
  const config = useSiteConfig();
  const worn = useMemo(() => ({ ...config, theme: over(config.theme, theme) }), [config, theme]);
  // In a layout effect, before the paint, so that the colours do not change visibly.
  useLayoutEffect(() => applyThemeTemporarily(worn.theme), [worn]);
  return <SiteConfigProvider value={worn}>{children}</SiteConfigProvider>;
}

/** The theme of the game, with the theme of the site as default. */
function over(site: SiteTheme, game: SiteTheme): SiteTheme {
  return {
    accent: game.accent ?? site.accent,
    // The strong accent is taken from the same theme as the accent.
    accentStrong: game.accent === null ? site.accentStrong : game.accentStrong,
    hero: game.hero ?? site.hero,
    logo: game.logo ?? site.logo,
  };
}
