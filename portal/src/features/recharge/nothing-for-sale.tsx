import type { System } from '@pointgate/contract/names.ts';
import PackageOpen from 'lucide-react/icons/package-open';
import { useTranslation } from 'react-i18next';

interface NothingForSaleProps {
  system: System;
  /** Whether there are packs, but no payment method. */
  hasPacks: boolean;
}

const wordsOf = {
  noMethod: { title: 'recharge.noMethod', text: 'recharge.noMethodText' },
  notInIos: { title: 'errors.NotAvailableInIos', text: 'recharge.nothingInIos' },
  nothing: { title: 'recharge.nothing', text: 'recharge.nothingText' },
} as const;

/** The reason for an empty list, as far as known. */
export function NothingForSale({ system, hasPacks }: NothingForSaleProps) {
  const { t } = useTranslation();
  const withoutPacks = system === 'ios' ? 'notInIos' : 'nothing';
  const { title, text } = wordsOf[hasPacks ? 'noMethod' : withoutPacks];
  return (
    <div className="recharge-empty">
      <PackageOpen size={40} strokeWidth={1.5} aria-hidden="true" />
      <p className="recharge-empty-title">{t(title)}</p>
      <p>{t(text)}</p>
    </div>
  );
}
