import { useTranslation } from 'react-i18next';
import { useFormat } from '../i18n/format.ts';
import { useNow } from './use-now.ts';

type Words = 'recharge.saleEnds' | 'recharge.limitResets' | 'rebate.ends' | 'orders.timeLeft';

/** A countdown with the exact time as tooltip. Changes are not announced to screen readers. */
export function TimeLeft({ words, until }: { words: Words; until: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  return (
    <time dateTime={until} title={format.dateTime(until)} className="time-left">
      {t(words, { time: format.span(Date.parse(until) - now) })}
    </time>
  );
}
