import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { lazyComponent } from '../../shared/ui/lazy-component.tsx';
import type { PointsPayment } from './points-dialog.tsx';
import { Shortage } from './shortage.tsx';
import { useStanding } from './use-standing.ts';

const PointsDialog = lazyComponent(async () => (await import('./points-dialog.tsx')).PointsDialog);

interface PointsPayButtonProps extends PointsPayment {
  disabled?: boolean;
  describedBy?: string | undefined;
  /** Whether another dialog has to be answered first. */
  isInterrupted?: boolean;
  /** The content of the button that opens the dialog. */
  children: ReactNode;
}

/** Pays from the balance after a confirmation, or links to the E Point top-up. */
export function PointsPayButton({
  disabled = false,
  isInterrupted = false,
  describedBy,
  children,
  ...payment
}: PointsPayButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  useEffect(() => {
    if (isInterrupted) setIsAsking(false);
  }, [isInterrupted]);
  const standing = useStanding(payment.points);
  const isCovered = standing.kind === 'unknown' || standing.kind === 'enough';
  return (
    <>
      {isCovered ? (
        <Button
          kind="primary"
          name="pay"
          disabled={disabled}
          isBusy={payment.isBusy}
          describedBy={describedBy}
          onClick={() => setIsAsking(true)}
        >
          {children}
        </Button>
      ) : (
        <Shortage balance={standing.balance} points={payment.points} />
      )}
      {isAsking && !isInterrupted && (
        <PointsDialog {...payment} onClose={() => setIsAsking(false)} />
      )}
    </>
  );
}
