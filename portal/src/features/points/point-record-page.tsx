import type { ReactNode } from 'react';
import { BalanceHead } from './balance-head.tsx';
import { LedgerCheck } from './ledger-check.tsx';
import { PointLots } from './point-lots.tsx';
import { PointRecords } from './point-records.tsx';
import './point-record-page.css';

/** The E Points of the player: balance, expiry dates and changes. */
export function PointRecordPage({ notices }: { notices: ReactNode }) {
  return (
    <div className="point-record">
      <BalanceHead />
      {notices}
      <div className="point-record-main">
        <PointLots />
        <PointRecords />
        <LedgerCheck />
      </div>
    </div>
  );
}
