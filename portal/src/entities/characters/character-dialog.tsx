import type { Character, GameServer } from '@pointgate/contract/characters.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../shared/i18n/error-text.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { avatarArt } from '../../shared/ui/art.ts';
import { Boundary } from '../../shared/ui/boundary.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Modal } from '../../shared/ui/modal.tsx';
import { useSystem } from '../session/use-system.ts';
import { rolesQuery, serversQuery, useSelectCharacter } from './character-queries.ts';
import { useIsOpen } from './maintenance.ts';
import { OpenServer } from './open-server.tsx';
import { ServerLight } from './server-light.tsx';
import './characters.css';

interface CharacterDialogProps {
  gameId: string;
  chosen: Character | null;
  /** Opens with the roles of this server, or with the server list if null. */
  server: GameServer | null;
  onServer: (server: GameServer) => void;
  onClose: () => void;
}

/** First the server, then the role. */
export function CharacterDialog({
  gameId,
  chosen,
  onServer,
  onClose,
  ...start
}: CharacterDialogProps) {
  const { t } = useTranslation();
  const isOpen = useIsOpen(start.server);
  const [server, setServer] = useState(isOpen ? start.server : null);

  if (server === null) {
    return (
      <Modal
        key="servers"
        name="choose-server"
        title={t('characters.chooseServer')}
        onClose={onClose}
      >
        <Retryable title={t('characters.serversFailed')}>
          <Servers
            gameId={gameId}
            onChoose={(next) => {
              onServer(next);
              setServer(next);
            }}
          />
        </Retryable>
      </Modal>
    );
  }
  return (
    <Modal key="roles" name="choose-role" title={t('characters.chooseRole')} onClose={onClose}>
      <button type="button" className="dialog-back" onClick={() => setServer(null)}>
        <ChevronLeft size={18} aria-hidden="true" />
        <OpenServer gameId={gameId} server={server} />
        <span className="dialog-back-word">{t('characters.otherServer')}</span>
      </button>
      <Retryable title={t('characters.rolesFailed')}>
        <Roles gameId={gameId} server={server} chosen={chosen} onDone={onClose} />
      </Retryable>
    </Modal>
  );
}

function Servers({ gameId, onChoose }: { gameId: string; onChoose: (server: GameServer) => void }) {
  const { t } = useTranslation();
  const { data: servers } = useSuspenseQuery(serversQuery({ gameId, system: useSystem() }));
  if (servers.length === 0) return <p className="dialog-empty">{t('characters.noServers')}</p>;
  return (
    <ul className="choices">
      {servers.map((server) => (
        <ServerChoice key={server.serverId} server={server} onChoose={() => onChoose(server)} />
      ))}
    </ul>
  );
}

function ServerChoice({ server, onChoose }: { server: GameServer; onChoose: () => void }) {
  const { t } = useTranslation();
  const isOpen = useIsOpen(server);
  return (
    <li>
      <button type="button" className="choice" disabled={!isOpen} onClick={onChoose}>
        <span>
          <ServerLight server={server} />
          {!isOpen && <span className="choice-note">{t('errors.ServerMaintenance')}</span>}
        </span>
        {isOpen && <ChevronRight size={18} aria-hidden="true" />}
      </button>
    </li>
  );
}

interface RolesProps {
  gameId: string;
  server: GameServer;
  chosen: Character | null;
  onDone: () => void;
}

function Roles({ gameId, server, chosen, onDone }: RolesProps) {
  const { t } = useTranslation();
  const { serverId } = server;
  const { data: roles } = useSuspenseQuery(rolesQuery({ gameId, serverId }));
  const select = useSelectCharacter(gameId);
  const { mutate } = select;
  // The only role of a server is selected automatically, unless the chosen role is on that server.
  const only = roles.length === 1 && chosen?.server.serverId !== serverId ? roles[0] : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per role, not on every render.
  useEffect(() => {
    if (only !== undefined) {
      mutate({ gameId, serverId, roleId: only.roleId }, { onSuccess: onDone });
    }
  }, [only?.roleId, serverId]);
  if (roles.length === 0) return <NoRoles />;

  return (
    <>
      {select.isError && (
        <Alert title={t('characters.selectFailed')}>
          <p>{errorText(t, select.error)}</p>
        </Alert>
      )}
      <ul className="choices">
        {roles.map(({ roleId, name, level }) => {
          const isChosen = chosen?.server.serverId === serverId && chosen.role.roleId === roleId;
          return (
            <li key={roleId}>
              <button
                type="button"
                className="choice role"
                data-track="choose-role"
                aria-current={isChosen || undefined}
                aria-busy={(select.isPending && select.variables.roleId === roleId) || undefined}
                disabled={select.isPending}
                onClick={() => select.mutate({ gameId, serverId, roleId }, { onSuccess: onDone })}
              >
                <img src={avatarArt} width={44} height={44} alt="" />
                <span className="choice-name">
                  {name}
                  <span className="character-level">{t('characters.level', { level })}</span>
                </span>
                <ChevronRight size={18} aria-hidden="true" />
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function NoRoles() {
  const { t } = useTranslation();
  return (
    <div className="dialog-empty">
      <p className="dialog-empty-title">{t('characters.noRoles')}</p>
      <p>{t('characters.noRolesText')}</p>
    </div>
  );
}

function Retryable({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Boundary
      waiting={<ChoicesSkeleton />}
      failed={(error, retry) => (
        <>
          <Alert title={title}>
            <p>{errorText(t, error)}</p>
          </Alert>
          <Button kind="secondary" onClick={retry}>
            {t('global.retry')}
          </Button>
        </>
      )}
    >
      {children}
    </Boundary>
  );
}

function ChoicesSkeleton() {
  return (
    <div className="choices" aria-hidden="true">
      <div className="skeleton choice-skeleton" />
      <div className="skeleton choice-skeleton" />
      <div className="skeleton choice-skeleton" />
    </div>
  );
}
