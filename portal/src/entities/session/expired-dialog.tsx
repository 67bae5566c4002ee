import { pages } from '@pointgate/contract/pages.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { trackClick } from '../../shared/analytics/track.ts';
import { emitSessionEvent, onSessionEvent } from '../../shared/api/session-events.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Modal } from '../../shared/ui/modal.tsx';
import { loginAddress } from './redirect.ts';
import { endSession, forgetShown } from './session.ts';

/**
 * Shows a single dialog for an expired session, however many calls report it, and redirects to
 * sign-in. A later expiry is shown again after the player has confirmed.
 */
export function ExpiredDialog() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const location = useLocation();
  const queryClient = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);

  useEffect(
    () =>
      onSessionEvent('expired', () => {
        setIsOpen(true);
        endSession(queryClient);
        if (location.pathname !== pages.common.login.path)
          void navigate(loginAddress(location), { replace: true });
      }),
    [navigate, location, queryClient],
  );

  // The page of the player is unmounted once the address is the sign-in page.
  const isGone = isOpen && location.pathname === pages.common.login.path;
  useEffect(() => {
    if (isGone) forgetShown(queryClient);
  }, [isGone, queryClient]);

  const confirm = () => {
    setIsOpen(false);
    trackClick('expired-confirm');
    emitSessionEvent('expired-confirm');
  };

  if (!isOpen) return null;
  return (
    <Modal name="expired" title={t('session.expiredTitle')} onClose={confirm} size="small">
      <p>{t('session.expired')}</p>
      <Button kind="primary" onClick={confirm}>
        {t('global.confirm')}
      </Button>
    </Modal>
  );
}
