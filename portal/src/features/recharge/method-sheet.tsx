import Check from 'lucide-react/icons/check';
import { useTranslation } from 'react-i18next';
import { useUser } from '../../entities/session/session.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { Modal } from '../../shared/ui/modal.tsx';
import { MethodMarks, type MethodsProps } from './payment-methods.tsx';

/** The payment methods in a sheet, for phones. */
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
