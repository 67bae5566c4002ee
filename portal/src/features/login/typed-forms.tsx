import { pages } from '@pointgate/contract/pages.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { CodeEntry } from '../../entities/credentials/code-entry.tsx';
import { isWholeCode } from '../../entities/credentials/code-field.tsx';
import { EmailField, toEmail } from '../../entities/credentials/email-field.tsx';
import type { TypedMethod } from '../../entities/credentials/methods.ts';
import { PasswordField } from '../../entities/credentials/password-field.tsx';
import { PhoneField } from '../../entities/credentials/phone-field.tsx';
import {
  startRegion,
  type TypedPhone,
  toPhoneNumber,
} from '../../entities/credentials/phone-number.ts';
import { sendCode, signInPurpose } from '../../entities/credentials/send-code.ts';
import { SignInForm } from '../../entities/credentials/sign-in-form.tsx';
import { TextField } from '../../shared/forms/text-field.tsx';
import { currentLocale } from '../../shared/i18n/i18n.ts';
import { useIsMobile } from '../../shared/ui/use-media-query.ts';

interface Typed {
  loginName: string;
  email: string;
  phone: TypedPhone;
  password: string;
  code: string;
}

interface FormProps {
  typed: Typed;
  hasFirstFocus: boolean;
  onChange: (change: Partial<Typed>) => void;
}

/** The form of one method. Typed values are kept when the player switches the method. */
export function TypedForm({ method }: { method: TypedMethod }) {
  const [typed, setTyped] = useState<Typed>(() => ({
    loginName: '',
    email: '',
    phone: { region: startRegion(currentLocale()), number: '' },
    password: '',
    code: '',
  }));
  const isMobile = useIsMobile();
  // Only when the page opens: later the focus must stay where the player has set it.
  const [isFirst, setIsFirst] = useState(true);
  useEffect(() => setIsFirst(false), []);

  const Form = forms[method];
  return (
    <Form
      key={method}
      typed={typed}
      hasFirstFocus={isFirst && !isMobile}
      onChange={(change) => setTyped((before) => ({ ...before, ...change }))}
    />
  );
}

function LoginNameForm({ typed, hasFirstFocus, onChange }: FormProps) {
  const { t } = useTranslation();
  const loginName = typed.loginName.trim(); // Phone keyboards add a space after a word.
  const isComplete = loginName !== '' && typed.password !== '';
  const { password } = typed;
  const credentials = { method: 'LOGIN_NAME_PASSWD_AUTH', loginName, password } as const;
  return (
    <SignInForm isComplete={isComplete} credentials={isComplete ? credentials : null}>
      {({ isChecked }) => (
        <>
          <TextField
            label={t('login.loginName')}
            autoComplete="username"
            hasFirstFocus={hasFirstFocus}
            maxLength={64}
            value={typed.loginName}
            isMissing={isChecked && loginName === ''}
            onChange={(value) => onChange({ loginName: value })}
          />
          <TypedPassword typed={typed} onChange={onChange} isChecked={isChecked} />
        </>
      )}
    </SignInForm>
  );
}

function EmailForm({ typed, hasFirstFocus, onChange }: FormProps) {
  const { password } = typed;
  const email = toEmail(typed.email);
  const isComplete = typed.email.trim() !== '' && password !== '';
  const isReady = isComplete && email !== null;
  return (
    <SignInForm
      isComplete={isComplete}
      credentials={isReady ? { method: 'EMAIL_PASSWORD_AUTH', email, password } : null}
    >
      {({ isChecked }) => (
        <>
          <EmailField
            value={typed.email}
            isChecked={isChecked}
            hasFirstFocus={hasFirstFocus}
            onChange={(value) => onChange({ email: value })}
          />
          <TypedPassword typed={typed} onChange={onChange} isChecked={isChecked} reset="email" />
        </>
      )}
    </SignInForm>
  );
}

function PhonePasswordForm({ typed, hasFirstFocus, onChange }: FormProps) {
  const { password } = typed;
  const phone = toPhoneNumber(typed.phone);
  const isComplete = typed.phone.number.trim() !== '' && password !== '';
  const isReady = isComplete && phone !== null;
  return (
    <SignInForm
      isComplete={isComplete}
      credentials={isReady ? { method: 'MOBILE_PASSWORD_AUTH', phone, password } : null}
    >
      {({ isChecked }) => (
        <>
          <PhoneField
            value={typed.phone}
            isChecked={isChecked}
            hasFirstFocus={hasFirstFocus}
            onChange={(value) => onChange({ phone: value })}
          />
          <TypedPassword typed={typed} onChange={onChange} isChecked={isChecked} reset="phone" />
        </>
      )}
    </SignInForm>
  );
}

function PhoneCodeForm({ typed, hasFirstFocus, onChange }: FormProps) {
  const { code } = typed;
  const phone = toPhoneNumber(typed.phone);
  const isComplete = typed.phone.number.trim() !== '' && isWholeCode(code);
  const isReady = isComplete && phone !== null;
  return (
    <SignInForm
      isComplete={isComplete}
      credentials={isReady ? { method: 'MOBILE_AUTH', phone, code } : null}
    >
      {({ isChecked, check }) => (
        <>
          <PhoneField
            value={typed.phone}
            isChecked={isChecked}
            hasFirstFocus={hasFirstFocus}
            onChange={(value) => onChange({ phone: value })}
          />
          <CodeEntry
            value={code}
            isChecked={isChecked}
            request={phone === null ? null : { phone, purpose: signInPurpose(phone) }}
            send={sendCode}
            onChange={(value) => onChange({ code: value })}
            onIncomplete={check}
          />
        </>
      )}
    </SignInForm>
  );
}

interface TypedPasswordProps extends Omit<FormProps, 'hasFirstFocus'> {
  isChecked: boolean;
  /** How a forgotten password can be reset, if at all. */
  reset?: 'email' | 'phone';
}

function TypedPassword({ typed, onChange, isChecked, reset }: TypedPasswordProps) {
  const { t } = useTranslation();
  return (
    <div className="login-password">
      <PasswordField
        label={t('login.password')}
        value={typed.password}
        isMissing={isChecked && typed.password === ''}
        onChange={(password) => onChange({ password })}
      />
      {reset !== undefined && <ForgotLink by={reset} />}
    </div>
  );
}

function ForgotLink({ by }: { by: 'email' | 'phone' }) {
  const { t } = useTranslation();
  const query = new URLSearchParams(useLocation().search);
  query.set('by', by);
  return (
    <Link className="login-link forgot" to={`${pages.common.passwordReset.path}?${query}`}>
      {t('login.forgot')}
    </Link>
  );
}

const forms = {
  LOGIN_NAME_PASSWD_AUTH: LoginNameForm,
  EMAIL_PASSWORD_AUTH: EmailForm,
  MOBILE_PASSWORD_AUTH: PhonePasswordForm,
  MOBILE_AUTH: PhoneCodeForm,
} as const;
