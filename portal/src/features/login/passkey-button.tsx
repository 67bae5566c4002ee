import { finishPasskeyLogin, startPasskeyLogin } from '@pointgate/contract/passkeys.ts';
import KeyRound from 'lucide-react/icons/key-round';
import { useTranslation } from 'react-i18next';
import { useWelcome } from '../../entities/credentials/use-sign-in.ts';
import { showPasskey } from '../../entities/passkeys/ceremony.ts';
import { passkeyProblem } from '../../entities/passkeys/passkey-problem.ts';
import { trackLogin } from '../../shared/analytics/track-login.ts';
import { call } from '../../shared/api/client.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import './provider-buttons.css';

/** Signs in with a passkey. */
export function PasskeyButton({ isLast }: { isLast: boolean }) {
  const { t } = useTranslation();
  const welcome = useWelcome();
  const signIn = useAction({
    mutationFn: async () => {
      const { options } = await call(startPasskeyLogin, {});
      return await call(finishPasskeyLogin, { response: await showPasskey(options) });
    },
    onSuccess: (session) => welcome(session, 'PASSKEY'),
    onError: (error) => trackLogin('PASSKEY', error),
  });
  return (
    <div className="providers">
      {signIn.isError && (
        <Alert title={t('login.failed')}>
          <p>{passkeyProblem(t, signIn.error)}</p>
        </Alert>
      )}
      <button
        type="button"
        className="provider"
        data-track="sign-in-passkey"
        aria-label={t('login.passkey')}
        aria-disabled={signIn.isPending || undefined}
        aria-busy={signIn.isPending || undefined}
        onClick={() => {
          if (!signIn.isPending) signIn.mutate();
        }}
      >
        <KeyRound size={20} aria-hidden="true" />
        <span>{t('login.passkey')}</span>
        {isLast && <span className="provider-last">{t('login.lastUsed')}</span>}
      </button>
    </div>
  );
}
