import type { TimelineStep } from '@pointgate/contract/orders.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../i18n/format.ts';

const tones: Record<TimelineStep['step'], 'ok' | 'warn' | 'bad' | 'plain'> = {
  created: 'plain',
  payment_opened: 'plain',
  payment_declined: 'bad',
  paid: 'ok',
  delivery_retry: 'warn',
  delivery_delayed: 'warn',
  arrived: 'ok',
  expired: 'bad',
  refunding: 'plain',
  refunded: 'plain',
};

/** What happened, newest first. */
export function OrderTimeline({ steps }: { steps: readonly TimelineStep[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const headingId = useId();
  return (
    <section className="order-timeline" aria-labelledby={headingId}>
      <h2 id={headingId}>{t('order.timeline')}</h2>
      <ol>
        {[...steps].reverse().map(({ step, at }) => (
          <li key={`${step} ${at}`} data-tone={tones[step]}>
            <span>{t(`order.step.${step}`)}</span>
            <time dateTime={at}>{format.dateTime(at)}</time>
          </li>
        ))}
      </ol>
    </section>
  );
}
