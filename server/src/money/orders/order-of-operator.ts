import type { Db } from '../../platform/db.ts';
import { isId } from '../../platform/ids.ts';
import { refuse } from '../../platform/operator-action.ts';
import { findArchiveOf } from '../archive/archive.ts';
import { findOrderKey } from './orders.ts';

/** The key of an order by its id; refuses with the location of an archived one. */
export async function orderOfOperator(db: Db, paymentId: string) {
  const key = isId(paymentId) ? await findOrderKey(db, paymentId) : undefined;
  if (key !== undefined) return key;
  const archive = isId(paymentId) ? await findArchiveOf(db, paymentId) : undefined;
  return archive === undefined
    ? refuse(`there is no order ${paymentId}`)
    : refuse(`if there is an order ${paymentId}, it is archived in ${archive.folder}`);
}
