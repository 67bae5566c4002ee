import type { GameServer } from '@pointgate/contract/characters.ts';
import { serverStatus } from '@pointgate/contract/named-numbers.ts';
import { useTranslation } from 'react-i18next';

/**
 * The server name with its status light, and the status as text, because colour alone is not
 * accessible.
 */
export function ServerLight({ server }: { server: GameServer }) {
  const { t } = useTranslation();
  const isOpen = server.status === serverStatus.open;
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
