import type { Character, GameServer } from '@pointgate/contract/characters.ts';
import ChevronRight from 'lucide-react/icons/chevron-right';
import UserRound from 'lucide-react/icons/user-round';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { avatarArt } from '../../shared/ui/art.ts';
import { lazyComponent } from '../../shared/ui/lazy-component.tsx';
import { OpenServer } from './open-server.tsx';
import { ServerLight } from './server-light.tsx';
import './characters.css';

const CharacterDialog = lazyComponent(
  async () => (await import('./character-dialog.tsx')).CharacterDialog,
);

interface CharacterBarProps {
  gameId: string;
  character: Character | null;
  /** The chosen server while no role is chosen. */
  server: GameServer | null;
  onServer: (server: GameServer) => void;
}

/** Shows the receiving role. The whole bar is the button that changes the role. */
export function CharacterBar({ gameId, character, server, onServer }: CharacterBarProps) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const shownServer = character?.server ?? server;
  return (
    <>
      <button
        type="button"
        className={character === null ? 'character-bar empty' : 'character-bar'}
        aria-haspopup="dialog"
        data-track="change-role"
        onClick={() => setIsOpen(true)}
      >
        {character === null ? (
          <span className="character-blank">
            <UserRound size={24} aria-hidden="true" />
          </span>
        ) : (
          <img src={avatarArt} width={52} height={52} alt="" />
        )}
        <span className="character-text">
          <span className="character-caption">{t('characters.deliverTo')}</span>
          <span className="character-name">
            {character === null
              ? t(shownServer === null ? 'characters.choose' : 'characters.chooseRole')
              : character.role.name}
            {character !== null && (
              <span className="character-level">
                {t('characters.level', { level: character.role.level })}
              </span>
            )}
          </span>
          {character !== null && <ServerLight server={character.server} />}
          {character === null && server !== null && <OpenServer gameId={gameId} server={server} />}
        </span>
        <span className="character-change">
          {character !== null && t('characters.change')}
          <ChevronRight size={16} aria-hidden="true" />
        </span>
      </button>
      {isOpen && (
        <CharacterDialog
          gameId={gameId}
          chosen={character}
          server={shownServer}
          onServer={onServer}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
