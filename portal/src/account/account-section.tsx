import { type ReactNode, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../i18n/error-text.ts';
import { Alert } from '../ui/alert.tsx';
import { Boundary } from '../ui/boundary.tsx';
import { Button } from '../ui/button.tsx';

interface AccountSectionProps {
  title: string;
  lead: string;
  icon: ReactNode;
  waiting: ReactNode;
  /** What could not be had, in words. */
  failedTitle: string;
  /** Stands in for the usual words where the failure has a way out of its own. */
  wayOut?: (error: unknown, retry: () => void) => ReactNode;
  children: ReactNode;
}

/** A part of the page that waits and fails for itself: the others stand beside it. */
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
            // The button goes away with the failure; the focus would go with it.
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
