import { useTranslation } from 'react-i18next';
import { Button } from '../../shared/ui/button.tsx';
import { Modal } from '../../shared/ui/modal.tsx';
import { closeTicketNotice, useTicketNotice } from './ticket.ts';

/** Explains why the link did not sign the player in. */
export function RefusedTicketDialog() {
  const { t } = useTranslation();
  const { refusal } = useTicketNotice();
  if (refusal === null) return null;

  return (
    <Modal name="ticket-refused" title={t('login.failed')} onClose={closeTicketNotice} size="small">
      <p>{t(`errors.${refusal}`)}</p>
      <Button kind="primary" onClick={closeTicketNotice}>
        {t('global.confirm')}
      </Button>
    </Modal>
  );
}
