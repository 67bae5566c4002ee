import { type OwnSecurity, recoveryCodesCount } from '@pointgate/contract/own-account.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/format.ts';
import { Button } from '../../shared/ui/button.tsx';
import { lazyComponent } from '../../shared/ui/lazy-component.tsx';
import { AccountSection } from './account-section.tsx';
import { addressWords } from './address-words.ts';
import { type AddressType, securityQuery } from './security-queries.ts';
import './security.css';

const AddressChange = lazyComponent(
  async () => (await import('./address-change.tsx')).AddressChange,
);
const AddressRemoval = lazyComponent(
  async () => (await import('./address-removal.tsx')).AddressRemoval,
);
const PasswordChange = lazyComponent(
  async () => (await import('./password-change.tsx')).PasswordChange,
);
const RecoveryCodes = lazyComponent(
  async () => (await import('./recovery-codes.tsx')).RecoveryCodes,
);

/** The sign-in and recovery settings of the account. */
export function Security() {
  const { t } = useTranslation();
  return (
    <AccountSection
      title={t('security.title')}
      lead={t('security.lead')}
      icon={<ShieldCheck size={20} aria-hidden="true" />}
      waiting={<div className="skeleton security-skeleton" aria-hidden="true" />}
      failedTitle={t('security.failed')}
    >
      <OwnWays />
    </AccountSection>
  );
}

function OwnWays() {
  const { data: security } = useSuspenseQuery(securityQuery);
  return (
    <ul className="security">
      {security.canHavePassword && <Password security={security} />}
      <Address security={security} accountType="EMAIL" />
      <Address security={security} accountType="MOBILE" />
      {security.canHavePassword && <Recovery security={security} />}
    </ul>
  );
}

interface WayProps {
  security: OwnSecurity;
}

function Password({ security: { hasPassword } }: WayProps) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Way
      name={t('login.password')}
      state={t(hasPassword ? 'security.passwordSet' : 'security.none')}
      actions={
        <Button kind="ghost" onClick={() => setIsOpen(true)}>
          {t(hasPassword ? 'security.changePassword' : 'security.setPassword')}
        </Button>
      }
    >
      {isOpen && <PasswordChange hasPassword={hasPassword} onClose={() => setIsOpen(false)} />}
    </Way>
  );
}

function Address({ security, accountType }: WayProps & { accountType: AddressType }) {
  const { t } = useTranslation();
  const { hasPassword } = security;
  const [open, setOpen] = useState<'change' | 'remove' | null>(null);
  const close = () => setOpen(null);
  const words = addressWords[accountType];
  const address = accountType === 'EMAIL' ? security.email : security.phone;
  const isFirst = address === null;
  const hasEmail = security.email !== null;
  return (
    <Way
      name={t(words.name)}
      state={isFirst ? t('security.none') : (address.masked ?? t('security.linked'))}
      note={address?.canBeRemoved === false ? t('security.lastWay') : undefined}
      actions={
        <>
          <Button kind="ghost" onClick={() => setOpen('change')}>
            {t(isFirst ? words.add : words.change)}
          </Button>
          {address?.canBeRemoved === true && (
            <Button kind="ghost" onClick={() => setOpen('remove')}>
              {t(words.remove)}
            </Button>
          )}
        </>
      }
    >
      {open === 'change' && (
        <AddressChange {...{ accountType, isFirst, hasEmail, hasPassword }} onClose={close} />
      )}
      {open === 'remove' && <AddressRemoval {...{ accountType, hasPassword }} onClose={close} />}
    </Way>
  );
}

function Recovery({ security: { hasPassword, recoveryCodes } }: WayProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [isOpen, setIsOpen] = useState(false);
  const hasCodes = recoveryCodes !== null;
  return (
    <Way
      name={t('security.recovery')}
      state={
        recoveryCodes === null
          ? t('security.none')
          : t('security.recoveryLeft', {
              left: recoveryCodes.unused,
              max: recoveryCodesCount,
              time: format.date(recoveryCodes.madeAt),
            })
      }
      actions={
        <Button kind="ghost" onClick={() => setIsOpen(true)}>
          {t(hasCodes ? 'security.makeNewCodes' : 'security.makeCodes')}
        </Button>
      }
    >
      {isOpen && <RecoveryCodes {...{ hasCodes, hasPassword }} onClose={() => setIsOpen(false)} />}
    </Way>
  );
}

interface WayRowProps {
  name: string;
  state: string;
  note?: string | undefined;
  actions: ReactNode;
  /** The open dialog, if any. */
  children: ReactNode;
}

function Way({ name, state, note, actions, children }: WayRowProps) {
  return (
    <li>
      <div>
        <p className="security-name">{name}</p>
        <p className="security-state">{state}</p>
      </div>
      <div className="security-actions">{actions}</div>
      {note !== undefined && <p className="security-note">{note}</p>}
      {children}
    </li>
  );
}
