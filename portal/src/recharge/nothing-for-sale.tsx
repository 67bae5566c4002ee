import type { System } from '@pointgate/contract/names.ts';
import PackageOpen from 'lucide-react/icons/package-open';
import { useTranslation } from 'react-i18next';

/** An empty list says why it is empty, as far as anybody knows. */
export function NothingForSale({ system }: { system: System }) {
  const { t } = useTranslation();
  const isIos = system === 'ios';
  return (
    <div className="recharge-empty">
      <PackageOpen size={40} strokeWidth={1.5} aria-hidden="true" />
      <p className="recharge-empty-title">
        {t(isIos ? 'errors.NotAvailableInIos' : 'recharge.nothing')}
      </p>
      <p>{t(isIos ? 'recharge.nothingInIos' : 'recharge.nothingText')}</p>
    </div>
  );
}
