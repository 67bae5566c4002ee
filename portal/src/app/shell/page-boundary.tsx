import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../shared/api/api-error.ts';
import { Boundary } from '../../shared/ui/boundary.tsx';
import { CallFailedPage, LoadErrorPage, type WaysOn } from '../../shared/ui/message-pages.tsx';

interface PageBoundaryProps {
  children: ReactNode;
  waiting: ReactNode;
  /** The title of the error when the page fails to load. */
  failedTitle?: string;
  waysOn?: WaysOn;
}

export function PageBoundary({ children, waiting, failedTitle, waysOn }: PageBoundaryProps) {
  return (
    <Boundary
      waiting={<Waiting>{waiting}</Waiting>}
      failed={(error, retry) =>
        error instanceof ApiError ? (
          <CallFailedPage title={failedTitle} error={error} waysOn={waysOn} onRetry={retry} />
        ) : (
          <LoadErrorPage />
        )
      }
    >
      {children}
    </Boundary>
  );
}

/** A loading page has a main landmark with a label, too. */
function Waiting({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <main id="main" aria-busy="true">
      <h1 className="visually-hidden">{t('global.loading')}</h1>
      {children}
    </main>
  );
}
