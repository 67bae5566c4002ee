import { useQuery, useSuspenseInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { Boundary } from '../../shared/ui/boundary.tsx';
import { Button, ButtonLink } from '../../shared/ui/button.tsx';
import { More } from '../../shared/ui/more.tsx';
import { OrderCard } from './order-card.tsx';
import { everyOrder, type OrderFilter, useOrderFilter } from './order-filter.ts';
import { OrderFilters, type OrderFiltersProps } from './order-filters.tsx';
import { ordersQuery, unpaidQuery } from './order-list-queries.ts';
import { UnpaidOrders, type UnpaidOrdersProps } from './unpaid-orders.tsx';
import './order-list.css';

/** The orders of the player on this site, with filters. Unpaid orders are shown above. */
export function OrderList({ games }: Pick<OrderFiltersProps, 'games'>) {
  const { t } = useTranslation();
  const { filter, change, isNarrowed } = useOrderFilter();
  // Requested here, in parallel with the list, and not only after the list has loaded.
  const unpaid = useQuery(unpaidQuery);
  const root = useRef<HTMLDivElement>(null);
  return (
    <div className="order-list" ref={root} tabIndex={-1}>
      <OrderFilters filter={filter} onChange={change} games={games} />
      <Boundary
        // Keyed by filter, so that the error of one filter is not shown for another.
        key={Object.values(filter).join()}
        waiting={<OrderListSkeleton />}
        failed={(error, retry) => (
          <div className="order-list-failed">
            <Alert title={t('orders.failed')}>
              <p>{errorText(t, error)}</p>
            </Alert>
            <Button
              kind="secondary"
              onClick={() => {
                // The retry button disappears with the error, and the focus would be lost with it.
                root.current?.focus();
                retry();
              }}
            >
              {t('global.retry')}
            </Button>
          </div>
        )}
      >
        <Orders filter={filter} isNarrowed={isNarrowed} change={change} unpaid={unpaid} />
      </Boundary>
    </div>
  );
}

interface OrdersProps extends Pick<UnpaidOrdersProps, 'unpaid'> {
  filter: OrderFilter;
  isNarrowed: boolean;
  change: (changes: Partial<OrderFilter>) => void;
}

function Orders({ filter, isNarrowed, change, unpaid }: OrdersProps) {
  const { t } = useTranslation();
  const list = useSuspenseInfiniteQuery(ordersQuery(filter));
  const orders = list.data.pages.flatMap((page) => page.orders);
  // Unpaid orders are above the list: a list shown first would jump.
  if (unpaid.isPending) return <OrderListSkeleton />;
  const firstUnpaid = orders.find(({ shown }) => shown === 'Unpaid');
  return (
    <>
      <UnpaidOrders
        unpaid={unpaid}
        listed={orders}
        onShowAll={() => change({ ...everyOrder, shown: 'Unpaid' })}
      />
      {orders.length === 0 ? (
        <NoOrders isNarrowed={isNarrowed} change={change} />
      ) : (
        <ul className="order-cards" aria-label={t('orders.title')}>
          {orders.map((order) => (
            <OrderCard key={order.paymentId} order={order} isNext={order === firstUnpaid} />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <More
          failedTitle={t('orders.failed')}
          error={list.isFetchNextPageError ? list.error : null}
          isBusy={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </>
  );
}

function NoOrders({ isNarrowed, change }: Pick<OrdersProps, 'isNarrowed' | 'change'>) {
  const { t } = useTranslation();
  const addresses = useAddresses();
  if (isNarrowed) {
    return (
      <div className="order-list-empty">
        <p className="order-list-empty-title">{t('orders.noMatch')}</p>
        <Button kind="secondary" onClick={() => change(everyOrder)}>
          {t('orders.clear')}
        </Button>
      </div>
    );
  }
  return (
    <div className="order-list-empty">
      <p className="order-list-empty-title">{t('orders.none')}</p>
      <p>{t('orders.noneText')}</p>
      <ButtonLink kind="primary" to={addresses.recharge({ target: 'game' })}>
        {t('nav.recharge')}
      </ButtonLink>
    </div>
  );
}

const skeletonCards = ['one', 'two', 'three', 'four'];

function OrderListSkeleton() {
  return (
    <div className="order-cards" aria-hidden="true">
      {skeletonCards.map((card) => (
        <div key={card} className="skeleton order-card-skeleton" />
      ))}
    </div>
  );
}
