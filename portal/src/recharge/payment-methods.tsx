import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { useTranslation } from 'react-i18next';

// The marks of the cards a method takes, by file name.
const marks: Record<PaymentMethod, readonly string[]> = { card: ['visa', 'mastercard'] };

export function MethodMarks({ method }: { method: PaymentMethod }) {
  return (
    <span className="method-marks" aria-hidden="true">
      {marks[method].map((mark) => (
        <img key={mark} src={`/marks/${mark}.svg`} width={26} height={11} alt="" />
      ))}
    </span>
  );
}

interface MethodTilesProps {
  methods: readonly PaymentMethod[];
  chosen: PaymentMethod;
  onChoose: (method: PaymentMethod) => void;
}

export function MethodTiles({ methods, chosen, onChoose }: MethodTilesProps) {
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
