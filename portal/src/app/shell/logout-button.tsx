import { pages } from '@pointgate/contract/pages.ts';
import LogOut from 'lucide-react/icons/log-out';
import { useTranslation } from 'react-i18next';
import { useLogout } from '../../entities/session/use-logout.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { Alert } from '../../shared/ui/alert.tsx';

export function LogoutButton() {
  const { t } = useTranslation();
  const leave = useLogout(pages.common.login.path);
  return (
    <>
      {leave.isError && <Alert title={errorText(t, leave.error)} />}
      <button
        type="button"
        className="menu-item"
        data-track="sign-out"
        disabled={leave.isPending}
        onClick={() => leave.mutate()}
      >
        <LogOut size={18} aria-hidden="true" />
        {t('nav.logout')}
      </button>
    </>
  );
}
