import type { UseMutationResult } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../entities/credentials/password-field.tsx';
import { useCheckedForm } from '../../entities/credentials/sign-in-form.tsx';
import { isStepUpNeeded } from '../../entities/passkeys/step-up.tsx';
import { errorText } from '../../shared/i18n/error-text.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Modal } from '../../shared/ui/modal.tsx';
import { Proof } from './proof.tsx';

interface OwnChangeProps<Change> {
  /** The name of the dialog in analytics events. */
  name: string;
  title: string;
  hasPassword: boolean;
  action: Pick<
    UseMutationResult<unknown, Error, Change & { current: string | null }>,
    'error' | 'isError' | 'isPending' | 'reset'
  > & { mutate: (change: Change & { current: string | null }) => void };
  /** The change to send; null while a field is missing or invalid. */
  change: Change | null;
  /** Whether no field is missing; by default, whether `change` is not null. */
  isComplete?: boolean;
  failed: string;
  submit: string;
  onClose: () => void;
  children: (form: { isChecked: boolean; check: () => void }) => ReactNode;
}

/**
 * A dialog for changes that only the account owner may make: asks for the password, if there is
 * one.
 */
export function OwnChange<Change extends object>(props: OwnChangeProps<Change>) {
  const { name, title, hasPassword, action, change, failed, submit, onClose, children } = props;
  const { isComplete = change !== null } = props;
  const { t } = useTranslation();
  const { form, isChecked, check } = useCheckedForm();
  const [current, setCurrent] = useState('');
  if (isStepUpNeeded(action.error)) return <Proof onClose={action.reset} />;

  const trySubmit = (event: FormEvent) => {
    event.preventDefault();
    check();
    if (change === null || action.isPending || (hasPassword && current === '')) return;
    action.mutate({ ...change, current: hasPassword ? current : null });
  };
  return (
    <Modal name={name} title={title} onClose={onClose}>
      <form className="account-form" onSubmit={trySubmit} noValidate ref={form}>
        {hasPassword && (
          <PasswordField
            label={t('security.current')}
            value={current}
            isMissing={isChecked && current === ''}
            problem={isChecked && current === '' ? t('security.currentMissing') : null}
            onChange={setCurrent}
          />
        )}
        {children({ isChecked, check })}
        {isChecked && !isComplete && <Alert title={t('login.incomplete')} />}
        {isComplete && action.isError && (
          <Alert title={failed}>
            <p>{errorText(t, action.error)}</p>
          </Alert>
        )}
        <Button kind="primary" type="submit" isBusy={action.isPending}>
          {submit}
        </Button>
      </form>
    </Modal>
  );
}
