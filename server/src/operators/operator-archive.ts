import { type archiveMonth, findArchiveOf, findArchiveOfDay } from '../money/archive/archive.ts';
import { findOrderKey } from '../money/orders/orders.ts';
import { openSession } from '../platform/connections.ts';
import type { Db } from '../platform/db.ts';
import { isId } from '../platform/ids.ts';
import { connectionOf, type Shop } from '../wiring/app.ts';
import { type Call, refuse } from './operator-call.ts';

export async function moveMonth(
  { db, config }: Shop,
  { first: month, need }: Call,
  move: typeof archiveMonth,
) {
  const open = () => openSession(connectionOf(config, 'api'));
  const context = { db, open, now: Date.now };
  const done = await move(context, { month, folder: need('folder'), by: need('by') });
  return 'complaints' in done ? refuse(done.complaints.join('\n')) : done;
}

/** The key of an order by its id; refuses with the location of an archived one. */
export async function orderKey(db: Db, paymentId: string) {
  const key = isId(paymentId) ? await findOrderKey(db, paymentId) : undefined;
  if (key !== undefined) return key;
  const archive = isId(paymentId) ? await findArchiveOf(db, paymentId) : undefined;
  return archive === undefined
    ? refuse(`there is no order ${paymentId}`)
    : refuse(`if there is an order ${paymentId}, it is archived in ${archive.folder}`);
}

/** A settlement day whose lines are archived cannot be reconciled again. */
export async function refuseArchivedDay(db: Db, day: string): Promise<void> {
  const archive = await findArchiveOfDay(db, day);
  if (archive !== undefined) refuse(`${archive.month} is archived in ${archive.folder}`);
}
