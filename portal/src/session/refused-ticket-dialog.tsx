import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';
import { closeTicketNotice, useTicketNotice } from './ticket.ts';

/** Says that the link the player came by is no longer good. */
export function RefusedTicketDialog() {
  const { t } = useTranslation();
  const { isRefused } = useTicketNotice();
  if (!isRefused) return null;

  return (
    <Modal name="ticket-refused" title={t('login.failed')} onClose={closeTicketNotice} size="small">
      <p>{t('errors.ArrivalRefused')}</p>
      <Button kind="primary" onClick={closeTicketNotice}>
        {t('global.confirm')}
      </Button>
    </Modal>
  );
}
