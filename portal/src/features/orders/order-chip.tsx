import type { ShownStatus } from '@pointgate/contract/orders.ts';
import { useTranslation } from 'react-i18next';
import { statusLabels } from './order-text.ts';
import { statusIcons } from './status-icons.ts';
import './order-chip.css';

/** The status of an order as icon, label and colour. */
export function OrderChip({ shown }: { shown: ShownStatus }) {
  const { t } = useTranslation();
  const Icon = statusIcons[shown];
  return (
    <span className="order-chip" data-status={shown}>
      <Icon size={14} strokeWidth={2.25} aria-hidden="true" />
      {t(statusLabels[shown])}
    </span>
  );
}
