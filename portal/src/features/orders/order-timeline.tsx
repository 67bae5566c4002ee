import type { OrderDetail, TimelineStep } from '@pointgate/contract/orders.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/format.ts';
import { stepText } from './order-text.ts';

type Tone = 'ok' | 'warn' | 'bad' | 'plain';

const tones: Record<TimelineStep['step'], Tone> = {
  created: 'plain',
  payment_opened: 'plain',
  payment_declined: 'bad',
  paid: 'ok',
  accepted: 'plain',
  delivery_retry: 'warn',
  delivery_delayed: 'warn',
  arrived: 'ok',
  expired: 'bad',
  disputed: 'warn',
  refunding: 'plain',
  partly_refunded: 'ok',
  refund_failed: 'bad',
  refunded: 'ok',
};

/** The past steps, newest first, and above them the next steps. */
export function OrderTimeline({ order }: { order: OrderDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const headingId = useId();
  const past = [...order.timeline].reverse();
  return (
    <section className="order-timeline" aria-labelledby={headingId}>
      <h2 id={headingId}>{t('order.timeline')}</h2>
      <ol>
        {comingSteps(order).map(({ coming, at }) => (
          <li key={coming} data-tone="coming">
            <span>{t(`order.coming.${coming}`)}</span>
            <time dateTime={at}>{format.dateTime(at)}</time>
          </li>
        ))}
        {past.map(({ step, at }, index) => (
          <li key={`${step} ${at}`} data-tone={tones[step]} data-latest={index === 0 || undefined}>
            <span>{t(stepText(order, step))}</span>
            <time dateTime={at}>{format.dateTime(at)}</time>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The future steps of the server, latest first. */
function comingSteps({ shown, nextDeliveryAt, promisedAt }: OrderDetail) {
  if (shown !== 'Paid') return [];
  const steps: { coming: 'promise' | 'nextTry'; at: string }[] = [];
  if (promisedAt !== null) steps.push({ coming: 'promise', at: promisedAt });
  if (nextDeliveryAt !== null) steps.push({ coming: 'nextTry', at: nextDeliveryAt });
  return steps.sort((left, right) => Date.parse(right.at) - Date.parse(left.at));
}
