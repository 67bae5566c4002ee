import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';
import { setTicketRefused, useIsTicketRefused } from './ticket.ts';

/** Says that the link the player came by is no longer good. */
export function RefusedTicketDialog() {
  const { t } = useTranslation();
  const isRefused = useIsTicketRefused();
  if (!isRefused) return null;

  const confirm = () => setTicketRefused(false);
  return (
    <Modal name="ticket-refused" title={t('login.failed')} onClose={confirm} size="small">
      <p>{t('errors.ArrivalRefused')}</p>
      <Button kind="primary" onClick={confirm}>
        {t('global.confirm')}
      </Button>
    </Modal>
  );
}
