import type { GameServer } from '@pointgate/contract/characters.ts';
import { useTranslation } from 'react-i18next';

/** The server's name with its light; the word is there too, because a colour alone says nothing. */
export function ServerLight({ server }: { server: GameServer }) {
  const { t } = useTranslation();
  const isOpen = server.status === 0;
  return (
    <span className="server-light" data-open={isOpen}>
      <i aria-hidden="true" />
      <span>
        {server.region} · {server.name}
        <span className={isOpen ? 'visually-hidden' : 'server-word'}>
          {' '}
          {t(isOpen ? 'characters.serverOpen' : 'characters.serverMaintenance')}
        </span>
      </span>
    </span>
  );
}
