import type { ShownStatus } from '@pointgate/contract/orders.ts';
import type { LucideIcon } from 'lucide-react';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleX from 'lucide-react/icons/circle-x';
import Clock from 'lucide-react/icons/clock';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import PackageCheck from 'lucide-react/icons/package-check';
import Undo2 from 'lucide-react/icons/undo-2';

/** Icons beside the labels, so that a status is not shown by colour alone. */
export const statusIcons: Record<ShownStatus, LucideIcon> = {
  Unpaid: Clock,
  Processing: LoaderCircle,
  Paid: CircleCheck,
  Fulfilled: PackageCheck,
  PaymentFailed: CircleX,
  Refunded: Undo2,
};
