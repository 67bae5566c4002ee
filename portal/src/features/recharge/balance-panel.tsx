import { ledgerFilePath } from '@pointgate/contract/points.ts';
import Download from 'lucide-react/icons/download';
import ShieldQuestion from 'lucide-react/icons/shield-question-mark';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { usePointBalance } from '../../entities/session/use-point-balance.ts';
import { useSiteConfig } from '../../shared/config/site-config.tsx';
import { useFormat } from '../../shared/i18n/format.ts';
import { Notice } from '../../shared/ui/notice.tsx';
import { OutsideLink } from '../../shared/ui/outside-link.tsx';
import './balance.css';

/** Explains debts and holds, and how they end. */
export function BalanceNotices() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: balance } = usePointBalance();
  if (balance === undefined) return null;
  return (
    <>
      {balance.debt > 0 && (
        <Notice tone="warn" title={t('points.youOwe', { amount: format.points(balance.debt) })}>
          <p>{t('points.debtText')}</p>
        </Notice>
      )}
      {balance.frozen > 0 && (
        <Notice tone="info" title={t('points.onHold', { amount: format.points(balance.frozen) })}>
          <p>{t('points.frozenText')}</p>
        </Notice>
      )}
    </>
  );
}

/** The parts of the balance, and the ledger for download and verification. */
export function BalancePanel() {
  const { t } = useTranslation();
  const format = useFormat();
  const headingId = useId();
  const { cgi } = useSiteConfig().gameInfo;
  const { data: balance } = usePointBalance();
  if (balance === undefined) return null;
  const { bought, given, frozen, debt, spendable } = balance;
  const rows = [
    { label: t('points.bought'), amount: Math.max(0, bought) },
    { label: t('points.given'), amount: given },
    ...(frozen > 0 ? [{ label: t('points.frozen'), amount: frozen }] : []),
    ...(debt > 0 ? [{ label: t('points.debt'), amount: debt }] : []),
    { label: t('points.spendable'), amount: spendable },
  ];
  return (
    <section className="balance-panel" aria-labelledby={headingId}>
      <h2 id={headingId}>{t('points.yours')}</h2>
      <dl>
        {rows.map(({ label, amount }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{format.number(amount)}</dd>
          </div>
        ))}
      </dl>
      <p className="balance-ledger">{t('points.ledgerText')}</p>
      <p className="balance-links">
        <a href={cgi + ledgerFilePath} download>
          <Download size={16} aria-hidden="true" />
          {t('points.ledger')}
        </a>
        <OutsideLink href="/verify-ledger.mjs">
          <ShieldQuestion size={16} aria-hidden="true" />
          {t('points.verify')}
        </OutsideLink>
      </p>
    </section>
  );
}
