import type { GameServer } from '@pointgate/contract/characters.ts';
import { useTranslation } from 'react-i18next';
import { useIsOpen, useMaintenanceWord } from './maintenance.ts';

/**
 * The server name with its status light, and the status as text, because colour alone is not
 * accessible.
 */
export function ServerLight({ server }: { server: GameServer }) {
  const { t } = useTranslation();
  const isOpen = useIsOpen(server);
  const word = useMaintenanceWord(server);
  return (
    <span className="server-light" data-open={isOpen}>
      <i aria-hidden="true" />
      <span>
        {server.region} · {server.name}
        <span className={isOpen ? 'visually-hidden' : 'server-word'}>
          {' '}
          {isOpen ? t('characters.serverOpen') : word}
        </span>
      </span>
    </span>
  );
}
