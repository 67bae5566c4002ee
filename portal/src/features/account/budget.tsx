import type { BudgetState } from '@pointgate/contract/people.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import PiggyBank from 'lucide-react/icons/piggy-bank';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSiteConfig } from '../../shared/config/site-config.tsx';
import { errorText } from '../../shared/i18n/error-text.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { showToast } from '../../shared/ui/toast.tsx';
import { budgetQuery, useSetBudget } from './account-queries.ts';
import { AccountSection } from './account-section.tsx';
import { BudgetDialog } from './budget-dialog.tsx';
import { BudgetRemoval } from './budget-removal.tsx';
import './budget.css';

export function Budget() {
  const { t } = useTranslation();
  return (
    <AccountSection
      title={t('budget.title')}
      lead={t('budget.lead')}
      icon={<PiggyBank size={20} aria-hidden="true" />}
      waiting={<div className="skeleton budget-skeleton" aria-hidden="true" />}
      failedTitle={t('budget.failed')}
    >
      <MonthlyBudget />
    </AccountSection>
  );
}

function MonthlyBudget() {
  const { t } = useTranslation();
  const { currency } = useSiteConfig();
  const { data: budget } = useSuspenseQuery(budgetQuery(currency));
  const [opened, setOpened] = useState<'change' | 'removal' | null>(null);
  const close = () => setOpened(null);
  const { amountMinor, pending } = budget;
  // A budget with a pending removal cannot be removed again.
  const canRemove = amountMinor !== null && pending?.amountMinor !== null;
  return (
    <div className="budget">
      <Spent budget={budget} />
      {amountMinor !== null && pending !== null && (
        <Pending budget={budget} amountMinor={amountMinor} pending={pending} />
      )}
      <div className="account-actions">
        <Button kind="secondary" onClick={() => setOpened('change')}>
          {t(amountMinor === null ? 'budget.set' : 'budget.change')}
        </Button>
        {canRemove && (
          <Button kind="ghost" onClick={() => setOpened('removal')}>
            {t('budget.remove')}
          </Button>
        )}
      </div>
      {opened === 'change' && <BudgetDialog budget={budget} onClose={close} />}
      {opened === 'removal' && canRemove && (
        <BudgetRemoval current={{ amountMinor, currency }} onClose={close} />
      )}
    </div>
  );
}

function Spent({ budget: { amountMinor, spentMinor, currency } }: { budget: BudgetState }) {
  const { t } = useTranslation();
  const format = useFormat();
  const spent = format.price({ amountMinor: spentMinor, currency });
  if (amountMinor === null) {
    return (
      <div className="budget-spent">
        <p className="account-empty-title">{t('budget.none')}</p>
        <p className="budget-line">
          <span>{t('budget.spent')}</span>
          <strong>{spent}</strong>
        </p>
      </div>
    );
  }
  const amount = format.price({ amountMinor, currency });
  const leftMinor = amountMinor - spentMinor;
  const isReached = leftMinor <= 0n;
  return (
    <div className="budget-spent">
      <p className="budget-line">
        <span>{t('budget.spent')}</span>
        <strong>{t('budget.spentOf', { spent, amount })}</strong>
      </p>
      {/* Hidden from screen readers: the text above has the same information. */}
      <div className={isReached ? 'budget-bar reached' : 'budget-bar'} aria-hidden="true">
        <span style={{ width: `${percentOf(spentMinor, amountMinor)}%` }} />
      </div>
      <p className={isReached ? 'budget-left reached' : 'budget-left'}>
        {isReached
          ? t('budget.reached')
          : t('budget.left', { amount: format.price({ amountMinor: leftMinor, currency }) })}
      </p>
    </div>
  );
}

/** The fill of the bar in percent; overspending and a budget of zero count as full. */
function percentOf(spentMinor: bigint, amountMinor: bigint): number {
  if (spentMinor >= amountMinor) return 100;
  return spentMinor <= 0n ? 0 : Number((spentMinor * 100n) / amountMinor);
}

interface PendingProps {
  budget: BudgetState;
  amountMinor: bigint;
  pending: NonNullable<BudgetState['pending']>;
}

function Pending({ budget: { currency }, amountMinor, pending }: PendingProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const amount = format.price({ amountMinor, currency });
  const keep = useSetBudget({
    currency,
    onSaved: () =>
      showToast((say, by) => say('budget.kept', { amount: by.price({ amountMinor, currency }) })),
  });
  const time = format.dateTime(pending.from);
  const next =
    pending.amountMinor === null
      ? null
      : format.price({ amountMinor: pending.amountMinor, currency });
  return (
    <>
      <Notice
        tone="info"
        title={
          next === null
            ? t('budget.pendingNone', { time })
            : t('budget.pendingTo', { amount: next, time })
        }
      >
        <p>{t('budget.pendingText', { amount })}</p>
        <Button kind="ghost" isBusy={keep.isPending} onClick={() => keep.mutate(amountMinor)}>
          {t('budget.keep', { amount })}
        </Button>
      </Notice>
      {keep.isError && (
        <Alert title={t('budget.saveFailed')}>
          <p>{errorText(t, keep.error)}</p>
        </Alert>
      )}
    </>
  );
}
