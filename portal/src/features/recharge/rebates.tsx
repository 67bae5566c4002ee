import type { RebateCampaign } from '@pointgate/contract/promotions.ts';
import { useQuery } from '@tanstack/react-query';
import Check from 'lucide-react/icons/check';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Undo2 from 'lucide-react/icons/undo-2';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Target } from '../../entities/addresses/addresses.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { Coin } from '../../shared/ui/coin.tsx';
import { TimeLeft } from '../../shared/ui/time-left.tsx';
import { useNowAt } from '../../shared/ui/use-now.ts';
import { RebateHistory } from './rebate-history.tsx';
import { rebatesQuery } from './recharge-queries.ts';
import './rebates.css';

/** The current rebate campaigns. Renders nothing without one; an error does not block buying. */
export function Rebates({ gameId, target }: { gameId: string; target: Target }) {
  const { t } = useTranslation();
  const { data, isError, isFetching, refetch } = useQuery(rebatesQuery(gameId, target));
  const campaigns = data ?? [];
  const now = useNowAt(campaigns.map(({ endsAt }) => endsAt));
  if (isError && data === undefined) {
    return (
      <p className="rebates-failed" role="status">
        {t('rebate.failed')}
        <button type="button" disabled={isFetching} onClick={() => void refetch()}>
          {t('global.retry')}
        </button>
      </p>
    );
  }
  return campaigns
    .filter(({ endsAt }) => Date.parse(endsAt) > now)
    .map((campaign) => <Rebate key={campaign.campaignId} campaign={campaign} />);
}

function Rebate({ campaign }: { campaign: RebateCampaign }) {
  const { t } = useTranslation();
  const headingId = useId();
  const format = useFormat();
  const { name, endsAt, tiers, nextTier, currency, presentDays, history } = campaign;
  const money = (amountMinor: bigint) => format.price({ amountMinor, currency });
  return (
    <section className="rebate" aria-labelledby={headingId}>
      <header>
        <h2 id={headingId}>{name}</h2>
        <TimeLeft words="rebate.ends" until={endsAt} />
      </header>
      <p className="rebate-next">
        {nextTier === null
          ? t('rebate.allReached')
          : t('rebate.next', {
              amount: money(nextTier.missingMinor),
              points: format.points(nextTier.presentPoints),
            })}
      </p>
      <Progress campaign={campaign} />
      <Sums tiers={tiers} />
      <details>
        <summary>
          {t('rebate.details')}
          <ChevronDown className="rebate-chevron" size={16} aria-hidden="true" />
        </summary>
        <p>{t('rebate.rule', { time: format.dateTime(endsAt) })}</p>
        {presentDays !== null && <p>{t('rebate.lives', { count: presentDays })}</p>}
        <RebateHistory history={history} money={money} />
      </details>
    </section>
  );
}

/** The progress with equally wide segments per tier, so that a small first tier stays visible. */
function Progress({ campaign }: { campaign: RebateCampaign }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { tiers, progressMinor, currency } = campaign;
  const money = (amountMinor: bigint) => format.price({ amountMinor, currency });
  const last = tiers.at(-1);
  if (last === undefined) return null;
  return (
    <>
      <div
        className="rebate-bar"
        role="progressbar"
        aria-label={t('rebate.progress')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={shareOf(progressMinor, 0n, last.fromMinor)}
        aria-valuetext={t('rebate.progressOf', {
          amount: money(progressMinor),
          goal: money(last.fromMinor),
        })}
      >
        {tiers.map(({ tier, fromMinor }, place) => (
          <span key={tier} className="rebate-stretch">
            <span
              style={{
                width: `${shareOf(progressMinor, tiers[place - 1]?.fromMinor ?? 0n, fromMinor)}%`,
              }}
            />
          </span>
        ))}
      </div>
      <ol className="rebate-tiers">
        {tiers.map(({ tier, fromMinor, presentPoints, state }) => (
          <li key={tier} data-state={state}>
            <span className="rebate-points">
              {state === 'earned' && <Check size={14} strokeWidth={3} aria-hidden="true" />}
              {state === 'taken_back' && <Undo2 size={14} aria-hidden="true" />}
              {state === 'open' && <Coin size={16} />}
              <span aria-hidden="true">{format.number(presentPoints)}</span>
              <span className="visually-hidden">
                {format.points(presentPoints)}, {t(`rebate.state.${state}`)}
              </span>
            </span>
            <span className="rebate-from">{money(fromMinor)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

function Sums({ tiers }: Pick<RebateCampaign, 'tiers'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const sumOf = (wanted: (typeof tiers)[number]['state']) =>
    tiers.reduce(
      (sum, { state, presentPoints }) => sum + (state === wanted ? presentPoints : 0n),
      0n,
    );
  const earned = sumOf('earned');
  const takenBack = sumOf('taken_back');
  if (earned === 0n && takenBack === 0n) return null;
  return (
    <ul className="rebate-sums">
      {earned > 0n && (
        <li data-state="earned">
          <Check size={15} strokeWidth={2.5} aria-hidden="true" />
          {t('rebate.earned', { points: format.points(earned) })}
        </li>
      )}
      {takenBack > 0n && (
        <li data-state="taken_back">
          <Undo2 size={15} aria-hidden="true" />
          {t('rebate.takenBack', { points: format.points(takenBack) })}
        </li>
      )}
    </ul>
  );
}

/** The progress of `amount` between two bounds, in percent. */
function shareOf(amount: bigint, from: bigint, to: bigint): number {
  if (amount <= from) return 0;
  return amount >= to ? 100 : Number(((amount - from) * 100n) / (to - from));
}
