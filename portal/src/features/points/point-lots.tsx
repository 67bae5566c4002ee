import type { PointLot } from '@pointgate/contract/points.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import CalendarClock from 'lucide-react/icons/calendar-clock';
import InfinityIcon from 'lucide-react/icons/infinity';
import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { serverNow } from '../../shared/api/server-clock.ts';
import { type Format, useFormat } from '../../shared/i18n/format.ts';
import { Boundary } from '../../shared/ui/boundary.tsx';
import { SectionFailed } from '../../shared/ui/section-failed.tsx';
import { lotsQuery } from './point-record-queries.ts';
import './point-lots.css';

/** The expiry dates of E Points. */
export function PointLots() {
  const { t } = useTranslation();
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section className="point-section" aria-labelledby={headingId}>
      <header>
        <CalendarClock size={20} aria-hidden="true" />
        <h2 id={headingId} ref={heading} tabIndex={-1}>
          {t('lots.title')}
        </h2>
      </header>
      <Boundary
        waiting={<div className="skeleton lots-skeleton" aria-hidden="true" />}
        failed={(error, retry) => (
          <SectionFailed
            title={t('lots.failed')}
            error={error}
            onRetry={() => {
              // The retry button disappears with the error, and the focus would be lost with it.
              heading.current?.focus();
              retry();
            }}
          />
        )}
      >
        <Lots />
      </Boundary>
    </section>
  );
}

function Lots() {
  const { t } = useTranslation();
  const format = useFormat();
  const { lots, hasMore } = useSuspenseQuery(lotsQuery).data;
  if (lots.length === 0) return <p className="lots-none">{t('points.none')}</p>;
  return (
    <>
      <ul className="lots">
        {togetherByDay(lots, format).map((lot) => (
          <LotRow key={`${lot.bucket} ${lot.expiresAt} ${lot.isFrozen}`} lot={lot} />
        ))}
      </ul>
      {hasMore && <p className="lots-none">{t('lots.more')}</p>}
    </>
  );
}

/** Merges lots that expire on the same day, with the earliest time. */
function togetherByDay(lots: readonly PointLot[], format: Format): PointLot[] {
  const byDay = new Map<string, PointLot>();
  for (const lot of lots) {
    const day = lot.expiresAt === null ? '' : format.date(lot.expiresAt);
    const key = `${lot.bucket} ${day} ${lot.isFrozen}`;
    const before = byDay.get(key);
    byDay.set(
      key,
      before === undefined ? lot : { ...before, remaining: before.remaining + lot.remaining },
    );
  }
  return [...byDay.values()];
}

const soonMs = 7 * 86_400_000;

function LotRow({ lot }: { lot: PointLot }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { bucket, remaining, expiresAt, isFrozen } = lot;
  const leftMs = expiresAt === null ? null : Date.parse(expiresAt) - serverNow();
  const words = { count: remaining === 1n ? 1 : 2, amount: format.number(remaining) };
  const stays = bucket === 'basic' ? 'lots.boughtStay' : 'lots.givenStay';
  const Icon = expiresAt === null ? InfinityIcon : CalendarClock;
  return (
    <li data-soon={(leftMs !== null && leftMs < soonMs) || undefined}>
      <Icon size={16} aria-hidden="true" />
      <span>
        {expiresAt === null
          ? t(stays, words)
          : t('lots.ends', { ...words, date: format.date(expiresAt) })}
        {isFrozen && <span className="lot-frozen"> · {t('points.frozen')}</span>}
      </span>
      {expiresAt !== null && leftMs !== null && (
        <time dateTime={expiresAt} title={format.dateTime(expiresAt)}>
          {t('lots.left', { time: format.span(leftMs) })}
        </time>
      )}
    </li>
  );
}
