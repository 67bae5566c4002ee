import Check from 'lucide-react/icons/check';
import Search from 'lucide-react/icons/search';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLocale } from '../../shared/i18n/i18n.ts';
import { Modal } from '../../shared/ui/modal.tsx';
import { namedCountries, searchCountries } from './dial-codes.ts';
import './country-dialog.css';

interface CountryDialogProps {
  chosen: string;
  onChoose: (region: string) => void;
  onClose: () => void;
}

export function CountryDialog({ chosen, onChoose, onClose }: CountryDialogProps) {
  const { t } = useTranslation();
  const locale = currentLocale();
  const all = useMemo(() => namedCountries(locale), [locale]);
  const [typed, setTyped] = useState('');
  const found = searchCountries(all, typed);

  const chooseFirst = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault(); // Enter would submit the form around the field.
    const [first] = found;
    if (first !== undefined && typed.trim() !== '') onChoose(first.region);
  };

  return (
    <Modal name="country" title={t('login.country')} onClose={onClose}>
      <div className="country-search">
        <Search size={18} aria-hidden="true" />
        <input
          type="search"
          aria-label={t('login.countrySearch')}
          placeholder={t('login.countrySearch')}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={chooseFirst}
        />
      </div>
      <ul className="countries">
        {found.map(({ region, name, dialCode }) => (
          <li key={region}>
            <button
              type="button"
              className="country"
              aria-current={region === chosen || undefined}
              onClick={() => onChoose(region)}
            >
              <span>{name}</span>
              <span className="country-code">+{dialCode}</span>
              {region === chosen && <Check size={18} aria-hidden="true" />}
            </button>
          </li>
        ))}
      </ul>
      <p className="countries-none" role="status">
        {found.length === 0 && t('login.countryNone')}
      </p>
    </Modal>
  );
}
