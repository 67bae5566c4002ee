import { accountExportPath } from '@pointgate/contract/privacy.ts';
import FolderLock from 'lucide-react/icons/folder-lock';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isStepUpNeeded } from '../../entities/passkeys/step-up.tsx';
import { useSiteConfig } from '../../shared/config/site-config.tsx';
import { errorText } from '../../shared/i18n/error-text.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { useRequestExport } from './account-queries.ts';
import { AccountSection } from './account-section.tsx';
import { Leaving } from './leaving.tsx';
import { Proof } from './proof.tsx';

/** The export and the deletion of the player's data. */
export function OwnData() {
  const { t } = useTranslation();
  return (
    <AccountSection
      title={t('ownData.title')}
      lead={t('ownData.lead')}
      icon={<FolderLock size={20} aria-hidden="true" />}
      waiting={<div className="skeleton" aria-hidden="true" />}
      failedTitle={t('ownData.downloadFailed')}
    >
      <Choices />
    </AccountSection>
  );
}

function Choices(): ReactNode {
  const { t } = useTranslation();
  const { cgi } = useSiteConfig().gameInfo;
  const [isLeaving, setIsLeaving] = useState(false);
  const request = useRequestExport(() => download(cgi + accountExportPath));
  return (
    <>
      {request.isError && !isStepUpNeeded(request.error) && (
        <Alert title={t('ownData.downloadFailed')}>
          <p>{errorText(t, request.error)}</p>
        </Alert>
      )}
      <div className="account-actions">
        <Button kind="secondary" isBusy={request.isPending} onClick={() => request.mutate()}>
          {t('ownData.download')}
        </Button>
        <Button kind="ghost" onClick={() => setIsLeaving(true)}>
          {t('ownData.leave')}
        </Button>
      </div>
      {isStepUpNeeded(request.error) && <Proof onClose={request.reset} />}
      {isLeaving && <Leaving onClose={() => setIsLeaving(false)} />}
    </>
  );
}

/** Downloads a file through a temporary link, without leaving the page. */
function download(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = 'account.json';
  link.click();
}
