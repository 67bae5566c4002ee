import LogOut from 'lucide-react/icons/log-out';
import UserRound from 'lucide-react/icons/user-round';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { accountAddress } from '../addresses.ts';
import { errorText } from '../i18n/error-text.ts';
import { useUser } from '../session/session.ts';
import { useLogout } from '../session/use-logout.ts';
import { Alert } from '../ui/alert.tsx';
import { avatarArt } from '../ui/art.ts';
import { Disclosure } from '../ui/disclosure.tsx';

export function AccountMenu() {
  const { t } = useTranslation();
  const { displayName, userId } = useUser();
  const leave = useLogout('/login');

  return (
    <Disclosure
      label={t('nav.account')}
      className="nav-avatar"
      face={<img src={avatarArt} width={42} height={42} alt="" />}
      align="end"
    >
      {(close) => (
        <div className="account-menu">
          <p className="account-name">{displayName}</p>
          <p className="account-id">{t('nav.userId', { id: userId })}</p>
          <Link className="menu-item" to={accountAddress} onClick={close}>
            <UserRound size={18} aria-hidden="true" />
            {t('nav.accountInfo')}
          </Link>
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
