import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface FieldProps {
  label: string;
  value: string;
  isMissing: boolean;
  onChange: (value: string) => void;
}

interface TextFieldProps extends FieldProps {
  type?: 'text' | 'password';
  autoComplete: 'username' | 'current-password';
  maxLength: number;
  /** Typing can begin at once. Not for phones, where the keyboard would hide the page. */
  hasFirstFocus?: boolean;
  /** Stands inside the field, at its end. */
  children?: ReactNode;
}

export function TextField({ label, value, isMissing, onChange, ...input }: TextFieldProps) {
  const id = useId();
  const { type = 'text', autoComplete, maxLength, hasFirstFocus = false, children } = input;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="field-box">
        <input
          id={id}
          type={type}
          autoComplete={autoComplete}
          // biome-ignore lint/a11y/noAutofocus: the page is this form, and nothing stands before it.
          autoFocus={hasFirstFocus}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={maxLength}
          required
          aria-invalid={isMissing || undefined}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
        {children}
      </div>
    </div>
  );
}

export function PasswordField(props: FieldProps) {
  const { t } = useTranslation();
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      autoComplete="current-password"
      maxLength={128}
    >
      <button
        type="button"
        className="field-button"
        aria-label={isShown ? t('login.hidePassword') : t('login.showPassword')}
        onClick={() => setIsShown(!isShown)}
      >
        <Icon size={20} aria-hidden="true" />
      </button>
    </TextField>
  );
}
