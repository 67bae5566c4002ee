import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { gameQuery } from '../../entities/characters/character-queries.ts';
import { AccountPage } from '../../features/account/account-page.tsx';
import { useSiteConfig } from '../../shared/config/site-config.tsx';

/** Names the game of the site; the accounts of a platform belong to no game. */
export function AccountRoute() {
  const { gameId } = useSiteConfig().gameInfo;
  return <AccountPage gameName={gameId === null ? null : <GameName gameId={gameId} />} />;
}

/** Does not suspend: the rest of the account page does not need the game. */
function GameName({ gameId }: { gameId: string }) {
  const { t } = useTranslation();
  const { data: game, isError, refetch } = useQuery(gameQuery(gameId));
  if (game !== undefined) return game.name;
  if (!isError) return <span className="skeleton who-skeleton" aria-hidden="true" />;
  return (
    <>
      {t('account.gameFailed')}
      <button type="button" className="who-retry" onClick={() => void refetch()}>
        {t('global.retry')}
      </button>
    </>
  );
}
