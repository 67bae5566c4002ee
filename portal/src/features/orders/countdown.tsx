import { useTranslation } from 'react-i18next';
import { useNow } from '../../shared/ui/use-now.ts';

/** The time left to pay an order. Not announced to screen readers, as it changes every second. */
export function Countdown({ to }: { to: string }) {
  const { t } = useTranslation();
  const now = useNow();
  const left = Math.max(0, Math.ceil((Date.parse(to) - now) / 1_000));
  return (
    <p className="order-countdown" role="timer" aria-live="off">
      {t('order.timeLeft')} <strong>{toClock(left)}</strong>
    </p>
  );
}

function toClock(seconds: number): string {
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  const hours = Math.floor(seconds / 3600);
  return (hours > 0 ? [hours, ...parts] : parts).join(':');
}
