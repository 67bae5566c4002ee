import ChevronDown from 'lucide-react/icons/chevron-down';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField } from '../../shared/forms/text-field.tsx';
import { CountryDialog } from './country-dialog.tsx';
import {
  dialCodeOf,
  readTypedPhone,
  rememberRegion,
  type TypedPhone,
  toPhoneNumber,
} from './phone-number.ts';

interface PhoneFieldProps {
  value: TypedPhone;
  isChecked: boolean;
  hasFirstFocus?: boolean;
  onChange: (value: TypedPhone) => void;
}

export function PhoneField({ value, isChecked, hasFirstFocus = false, onChange }: PhoneFieldProps) {
  const { t } = useTranslation();
  const [wasLeft, setWasLeft] = useState(false);
  const [isChoosing, setIsChoosing] = useState(false);
  const isMissing = value.number.trim() === '';
  const isWrong = (isChecked || wasLeft) && !isMissing && toPhoneNumber(value) === null;

  const choose = (region: string) => {
    rememberRegion(region);
    onChange({ ...value, region });
    setIsChoosing(false);
  };

  return (
    <>
      <TextField
        label={t('login.phone')}
        type="tel"
        inputMode="tel"
        autoComplete="tel-national"
        maxLength={32}
        hasFirstFocus={hasFirstFocus}
        value={value.number}
        isMissing={isChecked && isMissing}
        problem={isWrong ? t('login.phoneInvalid') : null}
        onChange={(typed) => onChange(readTypedPhone(typed, value))}
        onLeave={() => setWasLeft(!isMissing)}
        before={
          <button
            type="button"
            className="field-country"
            aria-haspopup="dialog"
            aria-label={`${t('login.country')}: ${value.region} +${dialCodeOf(value.region)}`}
            onClick={() => setIsChoosing(true)}
          >
            <span className="field-region">{value.region}</span>+{dialCodeOf(value.region)}
            <ChevronDown size={16} aria-hidden="true" />
          </button>
        }
      />
      {isChoosing && (
        <CountryDialog
          chosen={value.region}
          onChoose={choose}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </>
  );
}
