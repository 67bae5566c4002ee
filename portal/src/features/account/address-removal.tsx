import { useTranslation } from 'react-i18next';
import { showToast } from '../../shared/ui/toast.tsx';
import { addressWords } from './address-words.ts';
import { OwnChange } from './own-change.tsx';
import { type AddressType, useRemoveAddress } from './security-queries.ts';

interface AddressRemovalProps {
  accountType: AddressType;
  hasPassword: boolean;
  onClose: () => void;
}

export function AddressRemoval({ accountType, hasPassword, onClose }: AddressRemovalProps) {
  const { t } = useTranslation();
  const words = addressWords[accountType];
  const action = useRemoveAddress(() => {
    showToast((say) => say(words.removed));
    onClose();
  });
  return (
    <OwnChange
      name="address-remove"
      title={t(words.remove)}
      hasPassword={hasPassword}
      action={action}
      change={{ accountType }}
      failed={t('security.notSaved')}
      submit={t('passkeys.remove')}
      onClose={onClose}
    >
      {() => <p className="account-lead">{t('security.removeText')}</p>}
    </OwnChange>
  );
}
