import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { errorText } from '../i18n/error-text.ts';
import { loginAddress } from '../session/redirect.ts';
import { useLogout } from '../session/use-logout.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';

/** For what only a new session may do. Afterwards the player is back on this page. */
export function SignInAgain({ reason }: { reason: string }) {
  const { t } = useTranslation();
  const leave = useLogout(loginAddress(useLocation()));
  return (
    <>
      <p className="account-lead">{reason}</p>
      {leave.isError && <Alert title={errorText(t, leave.error)} />}
      <Button kind="primary" isBusy={leave.isPending} onClick={() => leave.mutate()}>
        {t('passkeys.signInAgain')}
      </Button>
    </>
  );
}
