import { type ReactNode, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../shared/i18n/error-text.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { Boundary } from '../../shared/ui/boundary.tsx';
import { Button } from '../../shared/ui/button.tsx';

interface AccountSectionProps {
  title: string;
  lead: string;
  icon: ReactNode;
  waiting: ReactNode;
  /** The title of the error when the section fails to load. */
  failedTitle: string;
  /** Replaces the default error message for errors with a remedy of their own. */
  wayOut?: (error: unknown, retry: () => void) => ReactNode;
  children: ReactNode;
}

/** A section of the page that loads and fails independently of the others. */
export function AccountSection(props: AccountSectionProps) {
  const { title, lead, icon, waiting, failedTitle, wayOut, children } = props;
  const { t } = useTranslation();
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section className="account-section" aria-labelledby={titleId}>
      <header>
        {icon}
        <h2 id={titleId} ref={heading} tabIndex={-1}>
          {title}
        </h2>
      </header>
      <p className="account-lead">{lead}</p>
      <Boundary
        waiting={waiting}
        failed={(error, again) => {
          const retry = () => {
            // The retry button disappears with the error, and the focus would be lost with it.
            heading.current?.focus();
            again();
          };
          return (
            wayOut?.(error, retry) ?? (
              <div className="account-failed">
                <Alert title={failedTitle}>
                  <p>{errorText(t, error)}</p>
                </Alert>
                <Button kind="secondary" onClick={retry}>
                  {t('global.retry')}
                </Button>
              </div>
            )
          );
        }}
      >
        {children}
      </Boundary>
    </section>
  );
}
