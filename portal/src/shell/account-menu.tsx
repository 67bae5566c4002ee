import { logout } from '@pointgate/contract/accounts.ts';
import { useMutation } from '@tanstack/react-query';
import LogOut from 'lucide-react/icons/log-out';
import { useTranslation } from 'react-i18next';
import { call } from '../api/client.ts';
import { errorText } from '../i18n/error-text.ts';
import { useUser } from '../session/session.ts';
import { Alert } from '../ui/alert.tsx';
import { Disclosure } from '../ui/disclosure.tsx';

export function AccountMenu() {
  const { t } = useTranslation();
  const { displayName, userId } = useUser();
  const leave = useMutation({
    mutationFn: () => call(logout, {}),
    onSuccess: () => {
      sessionStorage.clear();
      // A fresh page, so that nothing of this player stays in memory for the next.
      window.location.assign('/login');
    },
  });

  return (
    <Disclosure
      label={t('nav.account')}
      className="nav-avatar"
      face={<img src="/art/avatar-160.webp" width={42} height={42} alt="" />}
      align="end"
    >
      {() => (
        <div className="account-menu">
          <p className="account-name">{displayName}</p>
          <p className="account-id">{t('nav.userId', { id: userId })}</p>
          {leave.isError && <Alert title={errorText(t, leave.error)} />}
          <button
            type="button"
            className="menu-item"
            disabled={leave.isPending}
            onClick={() => leave.mutate()}
          >
            <LogOut size={18} aria-hidden="true" />
            {t('nav.logout')}
          </button>
        </div>
      )}
    </Disclosure>
  );
}
