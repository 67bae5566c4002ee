import type { ListedGame } from '@pointgate/contract/catalogue.ts';
import type { System } from '@pointgate/contract/names.ts';
import ArrowRight from 'lucide-react/icons/arrow-right';
import Wrench from 'lucide-react/icons/wrench';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { tokensOf } from '../../shared/config/theme.ts';
import { cardArt, logoArt } from '../../shared/ui/art.ts';
import './game-card.css';

interface GameCardProps {
  game: ListedGame;
  system: System;
  to: string;
}

/** A game in its own theme. The whole card links to the top-up page. */
export function GameCard({ game, system, to }: GameCardProps) {
  const { name, subtitle, theme } = game;
  return (
    <Link className="game-card" data-track="choose-game" to={to} style={tokensOf(theme)}>
      {theme.hero !== null && <CardArt name={theme.hero} />}
      <GameState game={game} system={system} />{' '}
      <span className="game-lockup">
        {theme.logo !== null && (
          <img className="game-logo" src={logoArt(theme.logo)} width={56} height={56} alt="" />
        )}
        <span className="game-text">
          <span className="game-name">{name}</span>{' '}
          <span className="game-subtitle">{subtitle}</span>
        </span>
        <ArrowRight className="game-go" size={20} aria-hidden="true" />
      </span>
    </Link>
  );
}

function CardArt({ name }: { name: string }) {
  const { wide, tall, fallback } = cardArt(name);
  return (
    <picture className="game-art">
      <source {...tall} type="image/avif" />
      <source {...wide} type="image/avif" />
      <img src={fallback} alt="" width={960} height={506} loading="lazy" />
    </picture>
  );
}

/** The reason why the game cannot be topped up right now, if any. */
function GameState({ game, system }: { game: ListedGame; system: System }) {
  const { t } = useTranslation();
  if (game.isInMaintenance) {
    return (
      <span className="game-state warn">
        <Wrench size={14} aria-hidden="true" />
        {t('characters.serverMaintenance')}
      </span>
    );
  }
  if (game.systems.includes(system)) return null;
  return <span className="game-state">{t(notOn[system])}</span>;
}

export const notOn = {
  ios: 'errors.NotAvailableInIos',
  android: 'platform.notOnAndroid',
} as const satisfies Record<System, string>;
