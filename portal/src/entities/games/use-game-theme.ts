import { domainTypes } from '@pointgate/contract/named-numbers.ts';
import type { SiteTheme } from '@pointgate/contract/site-config.ts';
import { useQuery } from '@tanstack/react-query';
import { useSiteConfig } from '../../shared/config/site-config.tsx';
import { gamesQuery } from './game-queries.ts';

/**
 * The theme of a game of a game hub, or the theme of the site without a game and while the games
 * are not loaded: an order page neither waits for its colours nor fails with them.
 */
export function useGameTheme(gameId: string | null): SiteTheme {
  const { domainType, theme } = useSiteConfig();
  const { data: games } = useQuery({
    ...gamesQuery,
    enabled: domainType === domainTypes.hub && gameId !== null,
    refetchInterval: false,
  });
  return games?.find((game) => game.gameId === gameId)?.theme ?? theme;
}
