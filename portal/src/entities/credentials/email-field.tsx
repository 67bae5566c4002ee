import { EmailAddress } from '@pointgate/contract/accounts.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { TextField } from '../../shared/forms/text-field.tsx';

/** The normalised email address; `null` if it is malformed. */
export function toEmail(typed: string): string | null {
  const email = z.safeParse(EmailAddress, typed.trim());
  return email.success ? email.data : null;
}

interface EmailFieldProps {
  value: string;
  isChecked: boolean;
  hasFirstFocus?: boolean;
  /** Whether this is a new address and not the one used for sign-in. */
  isNew?: boolean;
  onChange: (value: string) => void;
}

/** Validated on the first blur, and from then on with every key. */
export function EmailField(props: EmailFieldProps) {
  const { value, isChecked, hasFirstFocus = false, isNew = false, onChange } = props;
  const { t } = useTranslation();
  const [wasLeft, setWasLeft] = useState(false);
  const isMissing = value.trim() === '';
  const isWrong = (isChecked || wasLeft) && !isMissing && toEmail(value) === null;
  return (
    <TextField
      label={t('login.email')}
      type="email"
      inputMode="email"
      autoComplete={isNew ? 'email' : 'username'}
      maxLength={254}
      hasFirstFocus={hasFirstFocus}
      value={value}
      isMissing={isChecked && isMissing}
      problem={isWrong ? t('login.emailInvalid') : null}
      onChange={onChange}
      onLeave={() => setWasLeft(!isMissing)}
    />
  );
}
