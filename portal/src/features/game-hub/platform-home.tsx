import type { ListedGame } from '@pointgate/contract/catalogue.ts';
import type { System } from '@pointgate/contract/names.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { gamesQuery } from '../../entities/games/game-queries.ts';
import { useToLink } from '../../entities/session/to-link.ts';
import { useSystem } from '../../entities/session/use-system.ts';
import { useSiteConfig } from '../../shared/config/site-config.tsx';
import { logoArt } from '../../shared/ui/art.ts';
import { ButtonLink } from '../../shared/ui/button.tsx';
import { Hero, HeroSkeleton } from '../../shared/ui/hero.tsx';
import { GameCard } from './game-card.tsx';
import { lastGameId } from './last-game.ts';
import { SystemChoice } from './system-choice.tsx';
import './platform-home.css';

/** All games of a platform, with the choice of the system. */
export function PlatformHome() {
  const { t } = useTranslation();
  const headingId = useId();
  const { siteTitle } = useSiteConfig();
  const { data: games } = useSuspenseQuery(gamesQuery);
  const addressOf = useGameAddress();
  const system = useSystem();
  const last = games.find(({ gameId }) => gameId === lastGameId());
  return (
    <main className="platform-home" id="main">
      <Hero title={siteTitle} subtitle={t('platform.subtitle')} height="short">
        <p className="hero-lead">{t('platform.lead')}</p>
        {last !== undefined && <LastGame game={last} to={addressOf(last, system)} />}
      </Hero>
      <section className="platform-games" aria-labelledby={headingId}>
        <header>
          <h2 id={headingId}>{t('platform.chooseGame')}</h2>
          <SystemChoice />
        </header>
        {games.length === 0 ? (
          <p className="platform-empty">{t('recharge.nothing')}</p>
        ) : (
          <ul className="game-grid">
            {games.map((game) => (
              <li key={game.gameId}>
                <GameCard game={game} system={system} to={addressOf(game, system)} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </main>
  );
}

/** The game address with its system, so that a saved or shared address is complete. */
function useGameAddress(): (game: ListedGame, system: System) => string {
  const { recharge } = useAddresses();
  const toLink = useToLink();
  return ({ gameId }, system) => toLink(recharge({ target: 'game', gameId, system }));
}

/** A shortcut to the game opened last, which most returning players want. */
function LastGame({ game, to }: { game: ListedGame; to: string }) {
  const { t } = useTranslation();
  const { logo } = game.theme;
  return (
    <div className="last-game">
      {logo !== null && <img src={logoArt(logo)} width={52} height={52} alt="" />}
      <p>
        <span>{t('platform.lastGame')}</span>
        <strong>{game.name}</strong>
      </p>
      <ButtonLink kind="primary" to={to}>
        {t('nav.recharge')} <span className="visually-hidden">{game.name}</span>
      </ButtonLink>
    </div>
  );
}

const places = [1, 2, 3, 4, 5, 6];

export function PlatformHomeSkeleton() {
  return (
    <div className="platform-home" aria-hidden="true">
      <HeroSkeleton height="short" />
      <div className="platform-games">
        <header>
          <div className="skeleton platform-heading-skeleton" />
        </header>
        <ul className="game-grid">
          {places.map((place) => (
            <li key={place} className="skeleton game-skeleton" />
          ))}
        </ul>
      </div>
    </div>
  );
}
