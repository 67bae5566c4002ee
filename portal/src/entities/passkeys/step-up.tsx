import { finishStepUp, startStepUp, stepUpMinutes } from '@pointgate/contract/passkeys.ts';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../shared/api/api-error.ts';
import { call } from '../../shared/api/client.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { arePasskeysOffered, showPasskey } from './ceremony.ts';
import { passkeyProblem } from './passkey-problem.ts';
import './step-up.css';

export function isStepUpNeeded(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'StepUpNeeded';
}

/** Asks for a passkey in place of content that needs a step-up. */
export function StepUp({ level, onDone }: { level: 'h2' | 'h3'; onDone: () => void }) {
  const { t } = useTranslation();
  const Heading = level;
  const stepUp = useAction({
    mutationFn: async () => {
      const { options } = await call(startStepUp, {});
      await call(finishStepUp, { response: await showPasskey(options) });
    },
    onSuccess: onDone,
  });
  const isOffered = arePasskeysOffered();
  return (
    <div className="step-up">
      <ShieldCheck size={28} aria-hidden="true" />
      <Heading>{t('stepUp.title')}</Heading>
      <p>{isOffered ? t('stepUp.text', { minutes: stepUpMinutes }) : t('stepUp.elsewhere')}</p>
      {stepUp.isError && (
        <Alert title={t('stepUp.failed')}>
          <p>{passkeyProblem(t, stepUp.error)}</p>
        </Alert>
      )}
      {isOffered && (
        <Button kind="secondary" isBusy={stepUp.isPending} onClick={() => stepUp.mutate()}>
          {t('stepUp.confirm')}
        </Button>
      )}
    </div>
  );
}
