import type { ErrorCode } from '@pointgate/contract/errors.ts';
import { homePath } from '@pointgate/contract/pages.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../api/api-error.ts';
import { errorText } from '../i18n/error-text.ts';
import { Button, ButtonLink } from './button.tsx';
import { usePageTitle } from './page-title.ts';
import './message-pages.css';

export function NotFoundPage() {
  const { t } = useTranslation();
  usePageTitle('titles.notFound');
  return (
    <MessagePage title="404" text={t('global.error.404')}>
      <ButtonLink kind="primary" to={homePath}>
        {t('global.backHome')}
      </ButtonLink>
    </MessagePage>
  );
}

export function ForbiddenPage() {
  const { t } = useTranslation();
  return (
    <MessagePage title="403" text={t('global.error.403')}>
      <ButtonLink kind="primary" to="/">
        {t('global.backHome')}
      </ButtonLink>
    </MessagePage>
  );
}

/** Shown if the code of a page fails to load, mostly because a new build has replaced it. */
export function LoadErrorPage() {
  const { t } = useTranslation();
  usePageTitle('titles.error');
  return (
    <MessagePage title={t('global.error.load')} text={t('global.error.loadHint')} role="alert">
      <Button kind="primary" onClick={() => window.location.reload()}>
        {t('global.refresh')}
      </Button>
    </MessagePage>
  );
}

/** Links for errors that a retry cannot solve, by error code. */
export type WaysOn = Partial<Record<ErrorCode, ReactNode>>;

interface CallFailedPageProps {
  title?: string | undefined;
  error: ApiError;
  waysOn?: WaysOn | undefined;
  onRetry: () => void;
}

export function CallFailedPage({ title, error, waysOn, onRetry }: CallFailedPageProps) {
  const { t } = useTranslation();
  return (
    <MessagePage title={title ?? t('global.error.fetch')} text={errorText(t, error)} role="alert">
      {wayOnAfter(error, waysOn) ?? (
        <Button kind="primary" onClick={onRetry}>
          {t('global.retry')}
        </Button>
      )}
      <ButtonLink kind="ghost" to={homePath}>
        {t('global.backHome')}
      </ButtonLink>
    </MessagePage>
  );
}

function wayOnAfter({ code }: ApiError, waysOn: WaysOn = {}): ReactNode {
  return Object.entries(waysOn).find(([known]) => known === code)?.[1];
}

interface MessagePageProps {
  title: string;
  text: string;
  role?: 'alert';
  children: ReactNode;
}

export function MessagePage({ title, text, role, children }: MessagePageProps) {
  return (
    <main className="message-page" role={role === 'alert' ? undefined : 'main'} id="main">
      <div className="message-card" role={role}>
        <h1 className={title.length === 3 ? 'message-code' : undefined}>{title}</h1>
        {text !== title && <p>{text}</p>}
        {children}
      </div>
    </main>
  );
}
