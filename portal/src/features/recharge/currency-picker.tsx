import { Currency } from '@pointgate/contract/money.ts';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useTranslation } from 'react-i18next';
import { currentLocale } from '../../shared/i18n/i18n.ts';
import { Notice } from '../../shared/ui/notice.tsx';
import { useCurrency } from './use-currency.ts';
import './currency-picker.css';

/** The choice of the currency. Renders nothing for a single payable currency. */
export function CurrencyPicker() {
  const { t } = useTranslation();
  const { currency, currencies, choose } = useCurrency();
  if (currencies.length < 2) return null;
  const names = new Intl.DisplayNames(currentLocale(), { type: 'currency' });
  return (
    <label className="currency-picker">
      <span aria-hidden="true">{currency}</span>
      <ChevronDown size={16} aria-hidden="true" />
      <select
        aria-label={t('recharge.currency')}
        value={currency}
        onChange={({ target }) => choose(Currency.parse(target.value))}
      >
        {currencies.map((code) => (
          <option key={code} value={code}>
            {code} · {names.of(code)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Explains why prices are not in the currency chosen before. */
export function CurrencyNote() {
  const { t } = useTranslation();
  const { currency, notHere } = useCurrency();
  if (notHere === null) return null;
  const words = { wanted: notHere, currency };
  return <Notice tone="info" title={t('recharge.currencyNotHere', words)} />;
}
