import type { Price } from '@pointgate/contract/money.ts';
import ChevronDown from 'lucide-react/icons/chevron-down';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '../../entities/session/session.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { packThumb } from '../../shared/ui/art.ts';
import { lazyComponent } from '../../shared/ui/lazy-component.tsx';
import { PriceText } from '../../shared/ui/price-text.tsx';
import { CouponButton } from './coupons.tsx';
import { giftSum, totalOf } from './gift-text.ts';
import type { Pack } from './pack.ts';
import { PayAction } from './pay-action.tsx';
import { MethodMarks, MethodTiles } from './payment-methods.tsx';
import type { Checkout } from './use-checkout.ts';
import './checkout.css';

const MethodSheet = lazyComponent(async () => (await import('./method-sheet.tsx')).MethodSheet);

/** The order panel beside the packs: goods, recipient, payment method and price. */
export function OrderPanel(props: Checkout) {
  const { pack, price, methods, method, onMethod } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const gift = giftSum(t, format, pack);
  return (
    <aside className="order-panel" aria-label={t('recharge.yourOrder')}>
      <div className={`order-item tier-${pack.tier}`}>
        <span className="order-thumb">
          <img {...packThumb(pack.art)} width={62} height={62} alt="" />
        </span>
        <div>
          <h2>
            {format.number(totalOf(pack))} {pack.unit}
          </h2>
          {gift !== null && <p className="order-gift">{gift}</p>}
        </div>
      </div>
      <MethodTiles methods={methods} chosen={method} onChoose={onMethod} />
      <OrderLines {...props} />
      <PayAction {...props} label={t('recharge.pay', { amount: format.price(price) })} />
      <p className="order-safe">
        <ShieldCheck size={14} aria-hidden="true" />
        {t(method === 'epoint' ? 'recharge.safePoints' : 'recharge.safe')}
      </p>
    </aside>
  );
}

function OrderLines(props: Checkout) {
  const { pack, price, recipient, method } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const { ePointNum } = useUser();
  return (
    <dl className="order-lines">
      {recipient !== null && (
        <div>
          <dt>{recipient.label}</dt>
          <dd>{recipient.name}</dd>
        </div>
      )}
      {pack.giftDays !== null && pack.gift !== null && (
        <div>
          <dt>{t('recharge.giftLives')}</dt>
          <dd>{t('recharge.days', { count: pack.giftDays })}</dd>
        </div>
      )}
      <TermLines pack={pack} />
      {method === 'epoint' && ePointNum !== null && (
        <div>
          <dt>{t('points.now')}</dt>
          <dd>{format.number(ePointNum)}</dd>
        </div>
      )}
      <CouponLines {...props} />
      <div className="order-total">
        <dt>{t('recharge.total')}</dt>
        <dd>
          <PriceText price={price} coinSize={24} />
        </dd>
      </div>
    </dl>
  );
}

/** The price and the discount of a coupon. Renders nothing for players without coupons. */
function CouponLines({ price, discountMinor, coupons, isBusy }: Checkout) {
  const { t } = useTranslation();
  const format = useFormat();
  if (coupons === null) return null;
  return (
    <>
      {discountMinor > 0n && (
        <div>
          <dt>{t('recharge.price')}</dt>
          <dd>{format.price(beforeDiscount(price, discountMinor))}</dd>
        </div>
      )}
      <div>
        <dt>{t('order.coupon')}</dt>
        <dd>
          <CouponButton look="line" coupons={coupons} price={price} isBusy={isBusy} />
        </dd>
      </div>
    </>
  );
}

function beforeDiscount(price: Price, discountMinor: bigint): Price {
  return { ...price, amountMinor: price.amountMinor + discountMinor };
}

/** The exact times of the countdowns on the card. */
function TermLines({ pack: { saleUntil, limit } }: { pack: Pack }) {
  const { t } = useTranslation();
  const format = useFormat();
  const lines = [
    { label: t('recharge.saleUntil'), at: saleUntil },
    { label: t('recharge.limitResetsAt'), at: limit?.resetAt ?? null },
  ];
  return lines.map(
    ({ label, at }) =>
      at !== null && (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{format.dateTime(at)}</dd>
        </div>
      ),
  );
}

/** The order panel as a bottom bar, for windows without space beside the packs. */
export function PayBar(props: Checkout) {
  const { pack, price, discountMinor, recipient, coupons, isBusy } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const goods = `${format.number(totalOf(pack))} ${pack.unit}`;
  return (
    <section className="pay-bar" aria-label={t('recharge.yourOrder')}>
      <div className="pay-bar-in">
        <div className="pay-bar-ways">
          <PayBarMethod {...props} />
          {coupons !== null && (
            <CouponButton look="chip" coupons={coupons} price={price} isBusy={isBusy} />
          )}
        </div>
        <p className="pay-bar-total">
          <span>
            {recipient === null
              ? goods
              : t('recharge.goodsTo', { goods, role: recipient.shortName })}
          </span>
          <strong>
            <PriceText price={price} coinSize={22} />
            {discountMinor > 0n && (
              <del>
                <span className="visually-hidden">{t('order.priceBefore')}: </span>
                {format.price(beforeDiscount(price, discountMinor))}
              </del>
            )}
          </strong>
        </p>
        <PayAction {...props} label={t('recharge.payNow')} />
      </div>
    </section>
  );
}

function PayBarMethod({ methods, method, onMethod, isBusy }: Checkout) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  if (methods.length === 1) {
    return (
      <p className="pay-bar-method">
        <MethodMarks method={method} />
        {t(`methods.${method}`)}
      </p>
    );
  }
  return (
    <>
      <button
        type="button"
        className="pay-bar-method"
        aria-haspopup="dialog"
        disabled={isBusy}
        onClick={() => setIsOpen(true)}
      >
        <MethodMarks method={method} />
        <span>
          {t(`methods.${method}`)}
          <span className="visually-hidden">, {t('order.method')}</span>
        </span>
        <ChevronDown size={18} aria-hidden="true" />
      </button>
      {isOpen && (
        <MethodSheet
          methods={methods}
          chosen={method}
          onChoose={onMethod}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
