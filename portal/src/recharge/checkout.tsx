import type { Item } from '@pointgate/contract/catalogue.ts';
import type { Character } from '@pointgate/contract/characters.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import ShieldCheck from 'lucide-react/icons/shield-check';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../i18n/error-text.ts';
import { useFormat } from '../i18n/format.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { giftSum, totalOf } from './gift-text.ts';
import { MethodMarks, MethodTiles } from './payment-methods.tsx';
import { moneyNote } from './use-pay.ts';
import './checkout.css';

export interface CheckoutProps {
  item: Item;
  character: Character | null;
  methods: readonly PaymentMethod[];
  method: PaymentMethod;
  onMethod: (method: PaymentMethod) => void;
  /** Why paying is not possible yet, in words. */
  blocker: string | null;
  error: unknown;
  isBusy: boolean;
  onPay: () => void;
}

/** What, to whom, how and how much, beside the packs. */
export function OrderPanel(props: CheckoutProps) {
  const { item, character, methods, method, onMethod } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const price = format.money(item.price);
  const gift = giftSum(t, format, item);
  return (
    <aside className="order-panel" aria-label={t('recharge.yourOrder')}>
      <div className={`order-item tier-${item.tier}`}>
        <span className="order-thumb">
          <img
            src={`/art/${item.art}-96.avif`}
            srcSet={`/art/${item.art}-96.avif 1x, /art/${item.art}-256.avif 2x`}
            width={62}
            height={62}
            alt=""
          />
        </span>
        <div>
          <h2>
            {format.number(totalOf(item))} {item.unit}
          </h2>
          {gift !== null && <p className="order-gift">{gift}</p>}
        </div>
      </div>
      <MethodTiles methods={methods} chosen={method} onChoose={onMethod} />
      <dl className="order-lines">
        {character !== null && (
          <div>
            <dt>{t('characters.deliverTo')}</dt>
            <dd>
              {character.role.name} · {character.server.name}
            </dd>
          </div>
        )}
        <div className="order-total">
          <dt>{t('recharge.total')}</dt>
          <dd>{price}</dd>
        </div>
      </dl>
      <PayAction {...props} label={t('recharge.pay', { amount: price })} />
      <p className="order-safe">
        <ShieldCheck size={14} aria-hidden="true" />
        {t('recharge.safe')}
      </p>
    </aside>
  );
}

/** The same in two rows at the thumb, where there is no room beside the packs. */
export function PayBar(props: CheckoutProps) {
  const { item, character, method } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const goods = `${format.number(totalOf(item))} ${item.unit}`;
  return (
    <section className="pay-bar" aria-label={t('recharge.yourOrder')}>
      <div className="pay-bar-in">
        <p className="pay-bar-method">
          <MethodMarks method={method} />
          {t(`methods.${method}`)}
        </p>
        <p className="pay-bar-total">
          <span>
            {character === null
              ? goods
              : t('recharge.goodsTo', { goods, role: character.role.name })}
          </span>
          <strong>{format.money(item.price)}</strong>
        </p>
        <PayAction {...props} label={t('recharge.payNow')} />
      </div>
    </section>
  );
}

function PayAction({ blocker, error, isBusy, onPay, label }: CheckoutProps & { label: string }) {
  const { t } = useTranslation();
  const reasonId = useId();
  return (
    <div className="pay-action">
      {error !== null && (
        <Alert title={errorText(t, error)}>
          <p>{t(moneyNote(error))}</p>
        </Alert>
      )}
      <Button
        kind="primary"
        disabled={blocker !== null}
        isBusy={isBusy}
        describedBy={blocker === null ? undefined : reasonId}
        onClick={onPay}
      >
        {label}
      </Button>
      {blocker !== null && (
        <p className="pay-blocker" id={reasonId}>
          <TriangleAlert size={15} aria-hidden="true" />
          {blocker}
        </p>
      )}
    </div>
  );
}
