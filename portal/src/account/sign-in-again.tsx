import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { errorText } from '../i18n/error-text.ts';
import { loginAddress } from '../session/redirect.ts';
import { useLogout } from '../session/use-logout.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';

/**
 * Asks for a new sign-in where a fresh session is required, and returns to this page afterwards.
 */
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
