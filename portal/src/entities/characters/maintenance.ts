import type { GameServer } from '@pointgate/contract/characters.ts';
import { serverStatus } from '@pointgate/contract/named-numbers.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/format.ts';
import { useNowAt } from '../../shared/ui/use-now.ts';

/** Whether the server takes orders now: a maintenance ends by itself while the page is open. */
export function useIsOpen(server: GameServer | null): boolean {
  const until = server?.maintenanceUntil ?? null;
  const now = useNowAt([until]);
  return server?.status === serverStatus.open || (until !== null && Date.parse(until) <= now);
}

/** That the server is in maintenance, and until when in the time zone of the player. */
export function useMaintenanceWord(server: GameServer | null): string {
  const { t } = useTranslation();
  const format = useFormat();
  const until = server?.maintenanceUntil ?? null;
  const now = useNowAt([until]);
  return until === null
    ? t('characters.serverMaintenance')
    : t('characters.maintenanceUntil', { time: format.until(until, now) });
}
