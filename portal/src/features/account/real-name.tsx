import type { ReplyOf } from '@pointgate/contract/endpoint.ts';
import { RealNameWaits, type realNameInfo } from '@pointgate/contract/people.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import IdCard from 'lucide-react/icons/id-card';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { isStepUpNeeded, StepUp } from '../../entities/passkeys/step-up.tsx';
import { ApiError } from '../../shared/api/api-error.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { currentLocale } from '../../shared/i18n/i18n.ts';
import { realNameQuery } from './account-queries.ts';
import { AccountSection } from './account-section.tsx';

export function RealName() {
  const { t } = useTranslation();
  return (
    <AccountSection
      title={t('realName.title')}
      lead={t('realName.lead')}
      icon={<IdCard size={20} aria-hidden="true" />}
      waiting={<div className="skeleton real-name-skeleton" aria-hidden="true" />}
      failedTitle={t('realName.failed')}
      wayOut={(error, retry) =>
        isStepUpNeeded(error) ? (
          <StepUp level="h3" onDone={retry} />
        ) : error instanceof ApiError && error.code === 'RealNameWaits' ? (
          <Waiting error={error} />
        ) : null
      }
    >
      <Facts />
    </AccountSection>
  );
}

/**
 * Locked after a password reset by code, because the code may have been read from a stolen mailbox.
 */
function Waiting({ error }: { error: ApiError }) {
  const { t } = useTranslation();
  const format = useFormat();
  const data = z.safeParse(RealNameWaits, error.data);
  return (
    <div className="account-empty">
      <p className="account-empty-title">{t('realName.waits')}</p>
      {data.success && (
        <p>{t('realName.waitsUntil', { time: format.dateTime(data.data.until) })}</p>
      )}
    </div>
  );
}

function Facts() {
  const { t } = useTranslation();
  const { data: person } = useSuspenseQuery(realNameQuery);
  const facts = useFacts(person);
  if (facts.every(([, value]) => value === null)) {
    return (
      <div className="account-empty">
        <p className="account-empty-title">{t('realName.none')}</p>
        <p>{t('realName.noneText')}</p>
      </div>
    );
  }
  return (
    <dl className="real-name">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          {value === null ? (
            <dd className="not-given">{t('realName.notGiven')}</dd>
          ) : (
            <dd>{value}</dd>
          )}
        </div>
      ))}
    </dl>
  );
}

type Fact = [label: string, value: string | null];

function useFacts(person: ReplyOf<typeof realNameInfo>): Fact[] {
  const { t } = useTranslation();
  const format = useFormat();
  const { approvalDate } = person;
  return [
    [t('realName.fullName'), person.fullName],
    [t('realName.identityNumber'), person.identityNumber],
    [t('login.phone'), person.phone],
    [t('login.email'), person.email],
    [t('realName.birthday'), person.birthday],
    [t('realName.address'), person.address],
    [t('realName.approvalDate'), approvalDate === null ? null : format.day(approvalDate)],
    [t('realName.approvalRegion'), toRegionName(person.approvalRegion)],
  ];
}

/** Turns a country code into its name and returns other regions unchanged. */
function toRegionName(region: string | null): string | null {
  if (region === null || !/^[A-Z]{2}$/.test(region)) return region;
  return new Intl.DisplayNames(currentLocale(), { type: 'region' }).of(region) ?? region;
}
