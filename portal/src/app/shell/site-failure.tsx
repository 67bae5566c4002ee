import { locales } from '@pointgate/contract/locales.ts';
import { createRoot } from 'react-dom/client';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../shared/i18n/error-text.ts';
import { startI18n } from '../../shared/i18n/i18n.ts';
import { Button } from '../../shared/ui/button.tsx';
import { MessagePage } from '../../shared/ui/message-pages.tsx';

/** Shows the error if not even the site config could be loaded. */
export async function showSiteFailure(root: HTMLElement, error: unknown): Promise<void> {
  await startI18n(locales);
  createRoot(root).render(<SiteFailure error={error} />);
}

function SiteFailure({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const text = errorText(t, error);
  return (
    <MessagePage title={text} text={text} role="alert">
      <Button kind="primary" onClick={() => window.location.reload()}>
        {t('global.refresh')}
      </Button>
    </MessagePage>
  );
}
