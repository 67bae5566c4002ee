import CircleAlert from 'lucide-react/icons/circle-alert';
import { type HTMLInputTypeAttribute, type ReactNode, useId } from 'react';
import './text-field.css';

export interface FieldProps {
  label: string;
  value: string;
  isMissing: boolean;
  /** The validation error of the field. */
  problem?: string | null;
  /** The rule for the value. */
  hint?: string;
  onChange: (value: string) => void;
  /** Called when the focus moves to another field. */
  onLeave?: () => void;
}

interface TextFieldProps extends FieldProps {
  type?: HTMLInputTypeAttribute;
  inputMode?: 'decimal' | 'email' | 'numeric' | 'tel' | 'text';
  autoComplete: 'username' | 'email' | 'tel-national' | 'current-password' | 'new-password' | 'off';
  maxLength: number;
  /** Focuses the field on mount. Not for phones, where the keyboard would cover the page. */
  hasFirstFocus?: boolean;
  /** Rendered inside the field, at its start. */
  before?: ReactNode;
  /** Rendered inside the field, at its end. */
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
          // biome-ignore lint/a11y/noAutofocus: the form is the main content of the page.
          autoFocus={hasFirstFocus}
          autoCapitalize="none"
          spellCheck={false}
          required
          aria-invalid={isMissing || problem !== null || undefined}
          aria-describedby={noteIds || undefined}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={(event) => {
            // Not for a button: an error that appears now would move the button away from the
            // pointer.
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
