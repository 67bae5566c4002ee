import type { SiteTheme } from '@pointgate/contract/site-config.ts';
import { useQuery } from '@tanstack/react-query';
import { useSiteConfig } from '../config/site-config.tsx';
import { gamesQuery } from './game-queries.ts';

/**
 * How a game of a platform looks. The site's own look where there is no game, and as long as the games
 * are not known: a page about money does not wait for its colours, nor fail with them.
 */
export function useGameTheme(gameId: string | null): SiteTheme {
  const { domainType, theme } = useSiteConfig();
  const { data: games } = useQuery({
    ...gamesQuery,
    enabled: domainType === 1 && gameId !== null,
    refetchInterval: false,
  });
  return games?.find((game) => game.gameId === gameId)?.theme ?? theme;
}
