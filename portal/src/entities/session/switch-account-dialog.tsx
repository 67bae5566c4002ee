import { userInfo } from '@pointgate/contract/accounts.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Modal } from '../../shared/ui/modal.tsx';
import { showToast } from '../../shared/ui/toast.tsx';
import { startSession, useUser } from './session.ts';
import { closeTicketNotice, type OtherLink, ticketHeaders, useTicketNotice } from './ticket.ts';

/**
 * Asks a signed-in player who has opened a link of another account. Anybody can send such a link,
 * and later purchases would go to the other account.
 */
export function SwitchAccountDialog() {
  const { other } = useTicketNotice();
  const { displayName } = useUser();
  if (other === null || displayName === null) return null;
  return <Question other={other} current={displayName} />;
}

function Question({ other, current }: { other: OtherLink; current: string }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(userInfo, {}, ticketHeaders(other.ticket, { isSwitch: true })),
    onSuccess: (session) => {
      if (session.login) startSession(queryClient, session);
    },
    onError: (error) => showToast((text) => errorText(text, error), 'bad'),
    onSettled: closeTicketNotice,
  });
  return (
    <Modal
      name="switch-account"
      title={t('session.otherAccount')}
      onClose={closeTicketNotice}
      size="small"
    >
      <p>{t('session.otherAccountText', { current, other: other.displayName })}</p>
      <Button kind="primary" onClick={closeTicketNotice} disabled={isPending}>
        {t('session.stayAs', { name: current })}
      </Button>
      <Button kind="secondary" onClick={() => mutate()} isBusy={isPending}>
        {t('session.switchTo', { name: other.displayName })}
      </Button>
    </Modal>
  );
}
