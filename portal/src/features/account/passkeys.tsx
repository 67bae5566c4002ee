import { type Passkey, passkeysMax } from '@pointgate/contract/passkeys.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import KeyRound from 'lucide-react/icons/key-round';
import Trash from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/format.ts';
import { Button } from '../../shared/ui/button.tsx';
import { passkeysQuery } from './account-queries.ts';
import { AccountSection } from './account-section.tsx';
import { PasskeyAddition } from './passkey-addition.tsx';
import { PasskeyRemoval } from './passkey-removal.tsx';
import './passkeys.css';

export function Passkeys() {
  const { t } = useTranslation();
  return (
    <AccountSection
      title={t('passkeys.title')}
      lead={t('passkeys.lead')}
      icon={<KeyRound size={20} aria-hidden="true" />}
      waiting={<div className="skeleton passkeys-skeleton" aria-hidden="true" />}
      failedTitle={t('passkeys.failed')}
    >
      <OwnPasskeys />
    </AccountSection>
  );
}

function OwnPasskeys() {
  const { t } = useTranslation();
  const { data: passkeys } = useSuspenseQuery(passkeysQuery);
  const [isAdding, setIsAdding] = useState(false);
  const [leaving, setLeaving] = useState<Passkey | null>(null);
  return (
    <>
      {passkeys.length === 0 ? (
        <p className="account-empty-title">{t('passkeys.none')}</p>
      ) : (
        <ul className="passkeys">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.passkeyId}
              passkey={passkey}
              onRemove={() => setLeaving(passkey)}
            />
          ))}
        </ul>
      )}
      {passkeys.length < passkeysMax ? (
        <div className="account-actions">
          <Button kind="secondary" onClick={() => setIsAdding(true)}>
            {t('passkeys.add')}
          </Button>
        </div>
      ) : (
        <p className="account-lead">{t('passkeys.full', { max: passkeysMax })}</p>
      )}
      {isAdding && (
        <PasskeyAddition isFirst={passkeys.length === 0} onClose={() => setIsAdding(false)} />
      )}
      {leaving !== null && <PasskeyRemoval passkey={leaving} onClose={() => setLeaving(null)} />}
    </>
  );
}

interface PasskeyRowProps {
  passkey: Passkey;
  onRemove: () => void;
}

function PasskeyRow({ passkey, onRemove }: PasskeyRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, createdAt, lastUsedAt } = passkey;
  return (
    <li>
      <KeyRound size={18} aria-hidden="true" />
      <div>
        <p className="passkey-name">{name}</p>
        <p className="passkey-times">
          <span>{t('passkeys.added', { time: format.dateTime(createdAt) })}</span>
          <span>
            {lastUsedAt === null
              ? t('passkeys.unused')
              : t('passkeys.lastUsed', { time: format.dateTime(lastUsedAt) })}
          </span>
        </p>
      </div>
      <button
        type="button"
        className="passkey-remove"
        aria-label={t('passkeys.removeNamed', { name })}
        onClick={onRemove}
      >
        <Trash size={18} aria-hidden="true" />
      </button>
    </li>
  );
}
