import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldNote } from '../../shared/forms/text-field.tsx';
import './code-field.css';

const digitsMax = 6;
const places = Array.from({ length: digitsMax }, (_, place) => place);

export function isWholeCode(code: string): boolean {
  return code.length === digitsMax;
}

interface CodeFieldProps {
  value: string;
  isChecked: boolean;
  hint?: string | undefined;
  onChange: (code: string) => void;
  /** Rendered beside the label: the button that sends a code. */
  children: ReactNode;
}

/**
 * One input behind six cells, so that phones can autofill the code from a message and a code can be
 * pasted with the text around it.
 */
export function CodeField({ value, isChecked, hint, onChange, children }: CodeFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const isMissing = isChecked && !isWholeCode(value);
  return (
    <div className="field">
      <div className="code-head">
        <label htmlFor={id}>{t('login.code')}</label>
        {children}
      </div>
      <div className="code-box">
        <input
          id={id}
          className="code-input"
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          aria-invalid={isMissing || undefined}
          aria-describedby={hint === undefined ? undefined : `${id}note`}
          value={value}
          onChange={(event) => onChange(toDigits(event.target.value))}
        />
        <div className="code-cells" aria-hidden="true">
          {places.map((place) => (
            <span
              key={place}
              className={
                place === Math.min(value.length, digitsMax - 1) ? 'code-cell next' : 'code-cell'
              }
            >
              {value[place]}
            </span>
          ))}
        </div>
      </div>
      {hint !== undefined && <FieldNote id={`${id}note`} text={hint} isBad={false} />}
    </div>
  );
}

function toDigits(text: string): string {
  return text.normalize('NFKC').replace(/\D/g, '').slice(0, digitsMax);
}
