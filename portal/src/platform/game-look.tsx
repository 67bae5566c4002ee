import type { SiteTheme } from '@pointgate/contract/site-config.ts';
import { type ReactNode, useLayoutEffect, useMemo } from 'react';
import { SiteConfigProvider, useSiteConfig } from '../config/site-config.tsx';
import { wearTheme } from '../config/theme.ts';

/** Shows a page of a platform in the look of one of its games, the bar above it included. */
export function GameLook({ theme, children }: { theme: SiteTheme; children: ReactNode }) {
  const config = useSiteConfig();
  const worn = useMemo(() => ({ ...config, theme: over(config.theme, theme) }), [config, theme]);
  // Before the page is painted: its colours would change in front of the player otherwise.
  useLayoutEffect(() => wearTheme(worn.theme), [worn]);
  return <SiteConfigProvider value={worn}>{children}</SiteConfigProvider>;
}

/** What a game does not say looks as the site does. */
function over(site: SiteTheme, game: SiteTheme): SiteTheme {
  return {
    accent: game.accent ?? site.accent,
    // The strong accent belongs to its accent.
    accentStrong: game.accent === null ? site.accentStrong : game.accentStrong,
    hero: game.hero ?? site.hero,
    logo: game.logo ?? site.logo,
  };
}
