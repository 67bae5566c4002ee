import type { PointRecord } from '@pointgate/contract/points.ts';
import { useQueries, useSuspenseInfiniteQuery } from '@tanstack/react-query';
import History from 'lucide-react/icons/history';
import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { Boundary } from '../../shared/ui/boundary.tsx';
import { Button, ButtonLink } from '../../shared/ui/button.tsx';
import { More } from '../../shared/ui/more.tsx';
import { SectionFailed } from '../../shared/ui/section-failed.tsx';
import {
  paymentsQuery,
  type RecordType,
  recordQuery,
  recordTypes,
} from './point-record-queries.ts';
import { PointRow } from './point-row.tsx';
import './point-records.css';

/** The changes of the balance: all, income or expense. */
export function PointRecords() {
  const { t } = useTranslation();
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const { type, choose } = useRecordType();
  return (
    <section className="point-section point-records" aria-labelledby={headingId}>
      <header>
        <History size={20} aria-hidden="true" />
        <h2 id={headingId} ref={heading} tabIndex={-1}>
          {t('pointRecord.changes')}
        </h2>
        <TypeChoice chosen={type} onChoose={choose} />
      </header>
      <Boundary
        // Keyed by type, so that the error of one type is not shown for another.
        key={type}
        waiting={<RecordsSkeleton />}
        failed={(error, retry) => (
          <SectionFailed
            title={t('pointRecord.failed')}
            error={error}
            onRetry={() => {
              // The retry button disappears with the error, and the focus would be lost with it.
              heading.current?.focus();
              retry();
            }}
          />
        )}
      >
        <Records type={type} />
      </Boundary>
    </section>
  );
}

/** The record type, kept in the address like other filters. */
function useRecordType() {
  const [query, setQuery] = useSearchParams();
  const type = recordTypes.find((known) => known === query.get('type')) ?? 'all';
  const choose = (wanted: RecordType) =>
    setQuery(
      (before) => {
        const after = new URLSearchParams(before);
        if (wanted === 'all') after.delete('type');
        else after.set('type', wanted);
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  return { type, choose };
}

interface TypeChoiceProps {
  chosen: RecordType;
  onChoose: (type: RecordType) => void;
}

function TypeChoice({ chosen, onChoose }: TypeChoiceProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="point-types">
      <legend className="visually-hidden">{t('pointRecord.changes')}</legend>
      {recordTypes.map((type) => (
        <button
          key={type}
          type="button"
          aria-pressed={type === chosen}
          onClick={() => onChoose(type)}
        >
          {t(`pointRecord.type.${type}`)}
        </button>
      ))}
    </fieldset>
  );
}

function Records({ type }: { type: RecordType }) {
  const { t } = useTranslation();
  const list = useSuspenseInfiniteQuery(recordQuery(type));
  const pages = list.data.pages.map(({ records }) => records);
  const names = usePayments(pages);
  const records = eachOnce(pages.flat());
  if (records.length === 0) return <NoRecords type={type} />;
  return (
    <>
      {names.isError && (
        <div className="point-names-failed">
          <p role="alert">{t('pointRecord.namesFailed')}</p>
          <Button kind="ghost" onClick={names.retry}>
            {t('global.retry')}
          </Button>
        </div>
      )}
      <ul className="point-rows" aria-label={t('pointRecord.changes')}>
        {records.map((record) => (
          <PointRow
            key={record.seq}
            record={record}
            payment={names.payments.find(({ paymentId }) => paymentId === record.paymentId)}
            gift={names.gifts.find(({ giftId }) => giftId === record.paymentId)}
            isWaiting={names.isPending}
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <More
          failedTitle={t('pointRecord.failed')}
          error={list.isFetchNextPageError ? list.error : null}
          isBusy={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </>
  );
}

/** The names of orders and gifts. Rows are shown without waiting for them. */
function usePayments(pages: readonly (readonly PointRecord[])[]) {
  const found = useQueries({
    queries: pages.filter((records) => records.length > 0).map(paymentsQuery),
  });
  return {
    payments: found.flatMap(({ data }) => data?.payments ?? []),
    gifts: found.flatMap(({ data }) => data?.gifts ?? []),
    isPending: found.some(({ isPending }) => isPending),
    isError: found.some(({ isError }) => isError),
    retry: () => {
      for (const { isError, refetch } of found) if (isError) void refetch();
    },
  };
}

/** Removes duplicates: a new change shifts an entry to the next page between two requests. */
function eachOnce(records: readonly PointRecord[]): PointRecord[] {
  return [...new Map(records.map((record) => [record.seq, record])).values()];
}

const emptyTitles = {
  all: 'pointRecord.none',
  income: 'pointRecord.noIncome',
  expense: 'pointRecord.noExpense',
} as const satisfies Record<RecordType, string>;

function NoRecords({ type }: { type: RecordType }) {
  const { t } = useTranslation();
  const addresses = useAddresses();
  return (
    <div className="point-empty">
      <p className="point-empty-title">{t(emptyTitles[type])}</p>
      <p>{t('pointRecord.noneText')}</p>
      {type !== 'expense' && (
        <ButtonLink kind="secondary" to={addresses.recharge({ target: 'epoint' })}>
          {t('points.topUp')}
        </ButtonLink>
      )}
    </div>
  );
}

const skeletonRows = ['one', 'two', 'three', 'four', 'five'];

function RecordsSkeleton() {
  return (
    <div className="point-rows" aria-hidden="true">
      {skeletonRows.map((row) => (
        <div key={row} className="skeleton point-row-skeleton" />
      ))}
    </div>
  );
}
