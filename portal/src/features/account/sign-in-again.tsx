import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { loginAddress } from '../../entities/session/redirect.ts';
import { useLogout } from '../../entities/session/use-logout.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { Button } from '../../shared/ui/button.tsx';

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
