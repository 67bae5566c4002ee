import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type FieldProps, TextField } from '../../shared/forms/text-field.tsx';

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
