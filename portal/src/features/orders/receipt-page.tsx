import type { ReplyOf } from '@pointgate/contract/endpoint.ts';
import type { OrderDetail, orderReceipt } from '@pointgate/contract/orders.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import Printer from 'lucide-react/icons/printer';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { BackLink } from '../../shared/ui/back-link.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Logo } from '../../shared/ui/logo.tsx';
import { quantityOf, recipientOf } from './order-text.ts';
import { receiptQuery } from './receipt-query.ts';
import { sumOf } from './receipt-sum.ts';
import './receipt-page.css';

type Receipt = ReplyOf<typeof orderReceipt>;

/** The receipt as a sheet of paper, with a print button that is hidden in print. */
export function ReceiptPage({ paymentId }: { paymentId: string }) {
  const { t } = useTranslation();
  const addresses = useAddresses();
  const { data: receipt } = useSuspenseQuery(receiptQuery(paymentId));
  return (
    <main className="receipt-page" id="main">
      <div className="receipt-bar">
        <BackLink to={addresses.order(paymentId)}>{t('order.title')}</BackLink>
        <Button kind="primary" onClick={() => window.print()}>
          <Printer size={18} aria-hidden="true" />
          {t('receipt.print')}
        </Button>
      </div>
      <Sheet receipt={receipt} />
    </main>
  );
}

function Sheet({ receipt }: { receipt: Receipt }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { seller, buyer, paymentReference, order } = receipt;
  const facts: [label: string, value: string | null][] = [
    [t('receipt.seller'), seller],
    [t('receipt.buyer'), buyer],
    [t('order.number'), order.paymentId],
    // E Point payments have no provider reference: the reference is the order number.
    [t('receipt.reference'), paymentReference === order.paymentId ? null : paymentReference],
    [t('receipt.date'), order.paidAt === null ? null : format.stamp(order.paidAt)],
    [t('order.method'), t(`methods.${order.method}`)],
    [t('order.game'), order.gameName],
    [t('order.role'), recipientOf(order) || null],
  ];
  return (
    <article className="receipt">
      <header>
        <h1>{t('receipt.title')}</h1>
        <p>
          <Logo size={28} />
          {seller}
        </p>
      </header>
      <dl className="receipt-facts">
        {facts
          .filter(([, value]) => value !== null)
          .map(([label, value]) => (
            <Fragment key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
      </dl>
      <Amounts order={order} />
      <footer>{t('receipt.made', { time: format.stamp(new Date().toISOString()) })}</footer>
    </article>
  );
}

function Amounts({ order }: { order: OrderDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { currency, giftQuantity } = order;
  const { refunds, besideMinor, pendingMinor, totalMinor } = sumOf(order);
  const amount = (amountMinor: bigint) => format.price({ amountMinor, currency });
  const goods = [
    quantityOf(format, order, order.quantity),
    giftQuantity > 0n ? t('recharge.bonus', { amount: format.number(giftQuantity) }) : null,
  ];
  return (
    <>
      <table className="receipt-amounts">
        <thead>
          <tr>
            <th scope="col">{t('order.item')}</th>
            <th scope="col">{t('order.amount')}</th>
          </tr>
        </thead>
        <tbody>
          <Row amount={amount(order.priceBeforeMinor ?? order.amountMinor)} title={order.itemName}>
            {goods.filter((part) => part !== null && part !== order.itemName).join(' · ')}
          </Row>
          {order.discountMinor !== null && (
            <Row amount={amount(-order.discountMinor)} title={t('order.coupon')}>
              {order.couponName}
            </Row>
          )}
          {besideMinor > 0n && <Row amount={amount(besideMinor)} title={t('receipt.beside')} />}
          {refunds.map((refund) => (
            <Row
              key={refund.refundId}
              amount={amount(-refund.amountMinor)}
              title={t('receipt.refund')}
            >
              {t(`refund.reason.${refund.reason}`)} ({format.stamp(refund.at)})
            </Row>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">
              {t(refunds.length === 0 ? 'recharge.total' : 'receipt.totalAfterRefunds')}
            </th>
            <td>{amount(totalMinor)}</td>
          </tr>
        </tfoot>
      </table>
      {pendingMinor > 0n && (
        <p className="receipt-note">{t('receipt.pending', { amount: amount(pendingMinor) })}</p>
      )}
    </>
  );
}

function Row(props: { title: string; amount: string; children?: ReactNode }) {
  return (
    <tr>
      <td>
        {props.title}
        {props.children && <small>{props.children}</small>}
      </td>
      <td>{props.amount}</td>
    </tr>
  );
}

export function ReceiptSkeleton() {
  return (
    <div className="receipt-page" aria-hidden="true">
      <div className="receipt-bar" />
      <div className="skeleton receipt-skeleton" />
    </div>
  );
}
