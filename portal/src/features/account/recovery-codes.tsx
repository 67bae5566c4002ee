import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../shared/ui/button.tsx';
import { Modal } from '../../shared/ui/modal.tsx';
import { OwnChange } from './own-change.tsx';
import { useMakeRecoveryCodes } from './security-queries.ts';

interface RecoveryCodesProps {
  /** Whether the account already has recovery codes, which new ones replace. */
  hasCodes: boolean;
  hasPassword: boolean;
  onClose: () => void;
}

/** Generates recovery codes and shows them once. */
export function RecoveryCodes({ hasCodes, hasPassword, onClose }: RecoveryCodesProps) {
  const { t } = useTranslation();
  const action = useMakeRecoveryCodes();
  if (action.data !== undefined) return <Codes codes={action.data.codes} onClose={onClose} />;
  return (
    <OwnChange
      name="recovery-codes"
      title={t(hasCodes ? 'security.makeNewCodes' : 'security.makeCodes')}
      hasPassword={hasPassword}
      action={action}
      change={{}}
      failed={t('security.codesFailed')}
      submit={t('security.makeSubmit')}
      onClose={onClose}
    >
      {() => (
        <>
          <p className="account-lead">{t('security.codesText')}</p>
          {hasCodes && <p className="account-lead">{t('security.codesReplace')}</p>}
        </>
      )}
    </OwnChange>
  );
}

function Codes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation();
  const [isCopied, setIsCopied] = useState(false);
  const text = `${codes.join('\n')}\n`;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
  };
  return (
    <Modal
      name="recovery-codes-shown"
      title={t('security.codesShown')}
      isShownOnce
      onClose={onClose}
    >
      <p className="account-lead">{t('security.codesOnce')}</p>
      <ol className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="account-choice">
        {'clipboard' in navigator && (
          <Button kind="secondary" onClick={copy}>
            {t(isCopied ? 'security.copied' : 'security.copy')}
          </Button>
        )}
        <Button kind="secondary" onClick={() => saveAsFile(text)}>
          {t('security.saveCodes')}
        </Button>
        <Button kind="primary" onClick={onClose}>
          {t('security.codesKept')}
        </Button>
      </div>
      <p className="visually-hidden" role="status">
        {isCopied && t('security.copied')}
      </p>
    </Modal>
  );
}

function saveAsFile(text: string): void {
  const link = document.createElement('a');
  link.href = `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`;
  link.download = 'recovery-codes.txt';
  link.click();
}
