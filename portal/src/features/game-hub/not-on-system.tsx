import type { ListedGame } from '@pointgate/contract/catalogue.ts';
import type { System } from '@pointgate/contract/names.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Hero } from '../../shared/ui/hero.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { notOn } from './game-card.tsx';
import { systemNames } from './system-choice.tsx';
import './not-on-system.css';

interface NotOnSystemProps {
  game: ListedGame;
  system: System;
  /** The links to other games and the choice of the system. */
  top: ReactNode;
}

/** Shown for a game that is not available on the chosen system. */
export function NotOnSystem({ game, system, top }: NotOnSystemProps) {
  const { t } = useTranslation();
  const others = game.systems.map((each) => systemNames[each]).join(', ');
  return (
    <main id="main">
      <Hero title={game.name} subtitle={game.subtitle} height="tall" top={top}>
        <div className="not-on-system">
          <Notice tone="warn" title={t(notOn[system])}>
            <p>{t('platform.playedOn', { game: game.name, systems: others })}</p>
          </Notice>
        </div>
      </Hero>
    </main>
  );
}
