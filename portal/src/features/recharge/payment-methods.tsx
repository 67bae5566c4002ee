import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { useTranslation } from 'react-i18next';
import { Coin } from '../../shared/ui/coin.tsx';
import './payment-methods.css';

// The card logos of a method, by file name; E Points show a coin.
const marks: Record<PaymentMethod, readonly string[] | 'coin'> = {
  card: ['visa', 'mastercard'],
  paypal: ['paypal'],
  wechatpay: ['wechat'],
  alipay: ['alipay'],
  adyen: ['jcb', 'unionpay'],
  epoint: 'coin',
};

export function MethodMarks({ method }: { method: PaymentMethod }) {
  const shown = marks[method];
  if (shown === 'coin') return <Coin size={26} />;
  return (
    <span className="method-marks" aria-hidden="true">
      {shown.map((mark) => (
        <img key={mark} src={`/marks/${mark}.svg`} width={26} height={11} alt="" />
      ))}
    </span>
  );
}

export interface MethodsProps {
  methods: readonly PaymentMethod[];
  chosen: PaymentMethod;
  onChoose: (method: PaymentMethod) => void;
}

/** All payment methods side by side, for wide windows. */
export function MethodTiles({ methods, chosen, onChoose }: MethodsProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="methods">
      <legend>{t('recharge.payWith')}</legend>
      <div className="method-grid">
        {methods.map((method) => (
          <label key={method} className="method">
            <input
              type="radio"
              name="method"
              className="visually-hidden"
              checked={method === chosen}
              onChange={() => onChoose(method)}
            />
            <MethodMarks method={method} />
            <span className="method-name">{t(`methods.${method}`)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
