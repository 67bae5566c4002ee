import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../shared/api/use-action.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { CodeField } from './code-field.tsx';
import { useSecondsLeft } from './use-seconds-left.ts';

type Target = { email: string } | { phone: string };

interface CodeEntryProps<Request extends Target> {
  value: string;
  isChecked: boolean;
  /** `null` while the recipient is missing or invalid. */
  request: Request | null;
  send: (request: Request) => Promise<{ nextInSeconds: number }>;
  onChange: (code: string) => void;
  /** Called for a send without a recipient: the form shows what is missing. */
  onIncomplete: () => void;
}

/** The input for a one-time code and the button that sends the code. */
export function CodeEntry<Request extends Target>(props: CodeEntryProps<Request>) {
  const { value, isChecked, request, onChange, onIncomplete } = props;
  const { t } = useTranslation();
  const [nextAtMs, setNextAtMs] = useState<number | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const secondsLeft = useSecondsLeft(nextAtMs);

  const send = useAction({
    mutationFn: props.send,
    onSuccess: ({ nextInSeconds }, sent) => {
      setNextAtMs(Date.now() + nextInSeconds * 1000);
      setSentTo(targetOf(sent));
    },
  });

  const isHeld = send.isPending || secondsLeft > 0;
  const trySend = () => {
    if (isHeld) return;
    if (request === null) onIncomplete();
    else send.mutate(request);
  };

  return (
    <>
      <CodeField
        value={value}
        isChecked={isChecked}
        hint={sentTo === null ? undefined : t('login.codeSent', { target: sentTo })}
        onChange={onChange}
      >
        <button
          type="button"
          className="code-send"
          // Not `disabled`, which would lose the focus during the countdown.
          aria-disabled={isHeld || undefined}
          aria-busy={send.isPending || undefined}
          onClick={trySend}
        >
          {send.isPending
            ? t('login.sending')
            : secondsLeft > 0
              ? t('login.sendAgainIn', { seconds: secondsLeft })
              : sentTo === null
                ? t('login.sendCode')
                : t('login.sendAgain')}
        </button>
      </CodeField>
      <p className="visually-hidden" role="status">
        {sentTo !== null && t('login.codeSent', { target: sentTo })}
      </p>
      {send.isError && (
        <Alert title={t('login.codeFailed')}>
          <p>{errorText(t, send.error)}</p>
        </Alert>
      )}
    </>
  );
}

function targetOf(request: Target): string {
  return 'email' in request ? request.email : request.phone;
}
