import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import Check from 'lucide-react/icons/check';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../i18n/format.ts';
import { useUser } from '../session/session.ts';
import { Coin } from '../ui/coin.tsx';
import { Modal } from '../ui/modal.tsx';
import './payment-methods.css';

// The marks of the cards a method takes, by file name; points show their coin.
const marks: Record<PaymentMethod, readonly string[] | 'coin'> = {
  card: ['visa', 'mastercard'],
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

interface MethodsProps {
  methods: readonly PaymentMethod[];
  chosen: PaymentMethod;
  onChoose: (method: PaymentMethod) => void;
}

/** All methods side by side, where there is room. */
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

/** The same in a sheet of their own. */
export function MethodSheet(props: MethodsProps & { onClose: () => void }) {
  const { methods, chosen, onChoose, onClose } = props;
  const { t } = useTranslation();
  return (
    <Modal name="payment-methods" title={t('recharge.payWith')} onClose={onClose}>
      <ul className="method-rows">
        {methods.map((method) => (
          <li key={method}>
            <button
              type="button"
              className="method-row"
              aria-current={method === chosen || undefined}
              onClick={() => {
                onChoose(method);
                onClose();
              }}
            >
              <MethodMarks method={method} />
              <span>
                {t(`methods.${method}`)}
                {method === 'epoint' && <OwnBalance />}
              </span>
              {method === chosen && <Check size={20} aria-hidden="true" />}
            </button>
          </li>
        ))}
      </ul>
    </Modal>
  );
}

function OwnBalance() {
  const { t } = useTranslation();
  const format = useFormat();
  const { ePointNum } = useUser();
  if (ePointNum === null) return null;
  return <small>{t('points.balanceIs', { amount: format.number(ePointNum) })}</small>;
}
