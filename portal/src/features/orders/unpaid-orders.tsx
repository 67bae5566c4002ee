import type { ReplyOf } from '@pointgate/contract/endpoint.ts';
import type { OrderSummary, orderList } from '@pointgate/contract/orders.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import Clock from 'lucide-react/icons/clock';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import { useTranslation } from 'react-i18next';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { Button, ButtonLink } from '../../shared/ui/button.tsx';
import { unpaidMax } from './order-list-queries.ts';
import { goodsOf } from './order-text.ts';
import './unpaid-orders.css';

export interface UnpaidOrdersProps {
  unpaid: UseQueryResult<ReplyOf<typeof orderList>>;
  /** The orders that the list already shows. */
  listed: readonly OrderSummary[];
  onShowAll: () => void;
}

/** Unpaid orders that are not in the list, for example because of a filter, but expire soon. */
export function UnpaidOrders({ unpaid, listed, onShowAll }: UnpaidOrdersProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const addresses = useAddresses();
  if (unpaid.data === undefined) {
    return unpaid.isError ? <UnpaidFailed unpaid={unpaid} /> : null;
  }
  const { orders, nextAfter } = unpaid.data;
  const isListed = ({ paymentId }: OrderSummary) =>
    listed.some((order) => order.paymentId === paymentId);
  const [first] = orders;
  if (first === undefined || orders.every(isListed)) return null;
  const amount = nextAfter === null ? format.number(orders.length) : `${unpaidMax}+`;
  return (
    <div className="unpaid-orders">
      <Clock size={22} aria-hidden="true" />
      <div className="unpaid-text">
        <p className="unpaid-title">{t('orders.unpaid', { count: orders.length, amount })}</p>
        <p>{t('orders.unpaidText', { count: orders.length, goods: goodsOf(format, first) })}</p>
      </div>
      {orders.length === 1 ? (
        <ButtonLink kind="primary" to={addresses.order(first.paymentId)}>
          {t('orders.pay', { amount: format.price(first) })}
        </ButtonLink>
      ) : (
        <Button kind="primary" onClick={onShowAll}>
          {t('orders.showUnpaid')}
        </Button>
      )}
    </div>
  );
}

function UnpaidFailed({ unpaid }: Pick<UnpaidOrdersProps, 'unpaid'>) {
  const { t } = useTranslation();
  return (
    <div className="unpaid-failed">
      <Alert title={t('orders.unpaidFailed')}>
        <p>{errorText(t, unpaid.error)}</p>
      </Alert>
      <Button kind="ghost" isBusy={unpaid.isFetching} onClick={() => void unpaid.refetch()}>
        <RefreshCw size={16} aria-hidden="true" />
        {t('global.retry')}
      </Button>
    </div>
  );
}
