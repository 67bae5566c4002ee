import CircleAlert from 'lucide-react/icons/circle-alert';
import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import { type HTMLInputTypeAttribute, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import './fields.css';

interface FieldProps {
  label: string;
  value: string;
  isMissing: boolean;
  /** What is wrong with what stands in the field. */
  problem?: string | null;
  /** The rule that it has to keep to. */
  hint?: string;
  onChange: (value: string) => void;
  /** The player went on to another field. */
  onLeave?: () => void;
}

interface TextFieldProps extends FieldProps {
  type?: HTMLInputTypeAttribute;
  inputMode?: 'email' | 'tel' | 'text';
  autoComplete: 'username' | 'tel-national' | 'current-password' | 'new-password';
  maxLength: number;
  /** Typing can begin at once. Not for phones, where the keyboard would hide the page. */
  hasFirstFocus?: boolean;
  /** Stands inside the field, at its start. */
  before?: ReactNode;
  /** Stands inside the field, at its end. */
  children?: ReactNode;
}

export function TextField({ label, value, isMissing, onChange, ...input }: TextFieldProps) {
  const id = useId();
  const {
    problem = null,
    hint,
    hasFirstFocus = false,
    before,
    children,
    onLeave,
    ...attributes
  } = input;
  const noteIds = [problem && `${id}problem`, hint && `${id}hint`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="field-box">
        {before}
        <input
          type="text"
          {...attributes}
          id={id}
          // biome-ignore lint/a11y/noAutofocus: the page is this form, and nothing stands before it.
          autoFocus={hasFirstFocus}
          autoCapitalize="none"
          spellCheck={false}
          required
          aria-invalid={isMissing || problem !== null || undefined}
          aria-describedby={noteIds || undefined}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={(event) => {
            // Not for a button: a complaint that appears now would push it away under the finger.
            if (event.relatedTarget instanceof HTMLInputElement) onLeave?.();
          }}
        />
        {children}
      </div>
      {problem !== null && <FieldNote id={`${id}problem`} text={problem} isBad />}
      {hint !== undefined && <FieldNote id={`${id}hint`} text={hint} isBad={false} />}
    </div>
  );
}

interface FieldNoteProps {
  id: string;
  text: string;
  isBad: boolean;
}

export function FieldNote({ id, text, isBad }: FieldNoteProps) {
  return (
    <p id={id} className={isBad ? 'field-note bad' : 'field-note'}>
      {isBad && <CircleAlert size={16} aria-hidden="true" />}
      {text}
    </p>
  );
}

interface PasswordFieldProps extends FieldProps {
  isNew?: boolean;
}

export function PasswordField({ isNew = false, ...props }: PasswordFieldProps) {
  const { t } = useTranslation();
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
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
