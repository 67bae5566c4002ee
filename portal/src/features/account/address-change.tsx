import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeEntry } from '../../entities/credentials/code-entry.tsx';
import { isWholeCode } from '../../entities/credentials/code-field.tsx';
import { EmailField, toEmail } from '../../entities/credentials/email-field.tsx';
import { PhoneField } from '../../entities/credentials/phone-field.tsx';
import { startRegion, toPhoneNumber } from '../../entities/credentials/phone-number.ts';
import { currentLocale } from '../../shared/i18n/i18n.ts';
import { showToast } from '../../shared/ui/toast.tsx';
import { addressWords } from './address-words.ts';
import { OwnChange } from './own-change.tsx';
import {
  type AddressType,
  type NewAddress,
  sendCodeTo,
  useChangeAddress,
} from './security-queries.ts';

interface AddressChangeProps {
  accountType: AddressType;
  /** Whether the account has no address of this kind yet. */
  isFirst: boolean;
  /** Whether the account has an email address, which is notified of the change. */
  hasEmail: boolean;
  hasPassword: boolean;
  onClose: () => void;
}

/** Changes the email address or phone number, verified by a one-time code sent there. */
export function AddressChange(props: AddressChangeProps) {
  const { accountType, isFirst, hasEmail, hasPassword, onClose } = props;
  const { t } = useTranslation();
  const words = addressWords[accountType];
  const [email, setEmail] = useState('');
  const [phone, setPhone] = useState({ region: startRegion(currentLocale()), number: '' });
  const [code, setCode] = useState('');
  const action = useChangeAddress(() => {
    showToast((say) => say(words.saved));
    onClose();
  });
  const address = accountType === 'EMAIL' ? emailOf(toEmail(email)) : phoneOf(toPhoneNumber(phone));
  return (
    <OwnChange
      name="address-change"
      title={t(isFirst ? words.add : words.change)}
      hasPassword={hasPassword}
      action={action}
      change={address !== null && isWholeCode(code) ? { address, code } : null}
      failed={t('security.notSaved')}
      submit={t('budget.save')}
      onClose={onClose}
    >
      {({ isChecked, check }) => (
        <>
          {accountType === 'EMAIL' ? (
            <EmailField isNew value={email} isChecked={isChecked} onChange={setEmail} />
          ) : (
            <PhoneField value={phone} isChecked={isChecked} onChange={setPhone} />
          )}
          <CodeEntry
            value={code}
            isChecked={isChecked}
            request={address}
            send={sendCodeTo}
            onChange={setCode}
            onIncomplete={check}
          />
          {hasEmail && <p className="account-lead">{t('security.undoText')}</p>}
        </>
      )}
    </OwnChange>
  );
}

function emailOf(email: string | null): NewAddress | null {
  return email === null ? null : { email };
}

function phoneOf(phone: string | null): NewAddress | null {
  return phone === null ? null : { phone };
}
