import type { PlayerSession } from '@pointgate/contract/sessions.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import Monitor from 'lucide-react/icons/monitor';
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone';
import Smartphone from 'lucide-react/icons/smartphone';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../shared/i18n/error-text.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { showToast } from '../../shared/ui/toast.tsx';
import { sessionsQuery, useEndSession } from './account-queries.ts';
import { AccountSection } from './account-section.tsx';
import { deviceText, seenText } from './device-text.ts';
import './sessions.css';

/** The sessions of the account, so that a player can spot foreign ones. */
export function Sessions() {
  const { t } = useTranslation();
  return (
    <AccountSection
      title={t('sessions.title')}
      lead={t('sessions.lead')}
      icon={<MonitorSmartphone size={20} aria-hidden="true" />}
      waiting={<div className="skeleton sessions-skeleton" aria-hidden="true" />}
      failedTitle={t('sessions.failed')}
    >
      <OwnSessions />
    </AccountSection>
  );
}

function OwnSessions() {
  const { t } = useTranslation();
  const { data: sessions } = useSuspenseQuery(sessionsQuery);
  const end = useEndSession(({ siteTitle }) =>
    showToast((say) => say('sessions.ended', { site: siteTitle })),
  );
  return (
    <>
      <ul className="sessions">
        {sessions.map((session) => (
          <SessionRow
            key={session.siteId}
            session={session}
            isEnding={end.isPending && end.variables.siteId === session.siteId}
            onEnd={() => end.mutate(session)}
          />
        ))}
      </ul>
      {end.isError && (
        <Alert title={t('sessions.endFailed', { site: end.variables.siteTitle })}>
          <p>{errorText(t, end.error)}</p>
        </Alert>
      )}
    </>
  );
}

interface SessionRowProps {
  session: PlayerSession;
  isEnding: boolean;
  onEnd: () => void;
}

function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { siteTitle, device, startedAt, endsAt, isByLink, isThis } = session;
  const isPhone = device.system === 'ios' || device.system === 'android';
  const Icon = isPhone ? Smartphone : Monitor;
  const facts = [
    seenText(t, session),
    t(isByLink ? 'sessions.byLink' : 'sessions.since', { time: format.dateTime(startedAt) }),
    t('sessions.until', { time: format.date(endsAt) }),
  ].filter((fact) => fact !== null);
  return (
    <li>
      <Icon size={20} aria-hidden="true" />
      <div>
        <p className="session-device">
          {deviceText(t, device)}
          {isThis && <span className="session-this">{t('sessions.this')}</span>}
        </p>
        <p className="session-site">{siteTitle}</p>
        <p className="session-times">
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
      </div>
      {!isThis && (
        <Button kind="ghost" isBusy={isEnding} onClick={onEnd}>
          {t('sessions.end', { site: siteTitle })}
        </Button>
      )}
    </li>
  );
}
