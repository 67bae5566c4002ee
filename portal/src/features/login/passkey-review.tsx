import { type PasskeyReview as Review, reviewPasskeys } from '@pointgate/contract/passwords.ts';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { Button } from '../../shared/ui/button.tsx';
import './passkey-review.css';

interface PasskeyReviewProps {
  review: NonNullable<Review>;
  onDone: () => void;
}

/** Asks after a password reset by code which passkeys were added by somebody else. */
export function PasskeyReview({ review, onDone }: PasskeyReviewProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const { token, passkeys } = review;
  const answer = useAction({
    mutationFn: () => call(reviewPasskeys, { token, remove: [...marked] }),
    onSuccess: onDone,
  });
  const mark = (passkeyId: string) => {
    const next = new Set(marked);
    if (!next.delete(passkeyId)) next.add(passkeyId);
    setMarked(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!answer.isPending) answer.mutate();
  };
  return (
    <form className="login-form" onSubmit={submit} noValidate>
      <fieldset className="passkey-review">
        <legend>{t('review.question')}</legend>
        {passkeys.map(({ passkeyId, name, siteTitle, createdAt, lastUsedAt }) => (
          <label key={passkeyId}>
            <input
              type="checkbox"
              checked={marked.has(passkeyId)}
              onChange={() => mark(passkeyId)}
            />
            <span>
              <span className="passkey-review-name">{name}</span>
              <span className="passkey-review-facts">
                {siteTitle} · {t('passkeys.added', { time: format.dateTime(createdAt) })} ·{' '}
                {lastUsedAt === null
                  ? t('passkeys.unused')
                  : t('passkeys.lastUsed', { time: format.dateTime(lastUsedAt) })}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      {answer.isError && (
        <Alert title={t('review.failed')}>
          <p>{errorText(t, answer.error)}</p>
        </Alert>
      )}
      <Button kind="primary" type="submit" isBusy={answer.isPending}>
        {marked.size === 0 ? t('review.allMine') : t('review.removeMarked')}
      </Button>
    </form>
  );
}
