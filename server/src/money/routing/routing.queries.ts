import { PaymentMethod } from '@pointgate/contract/orders.ts';
import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import { readRows } from '../../platform/readable-rows.ts';

const SwitchRow = z.object({
  method: z.enum(PaymentMethod.def.entries),
  site_id: z.string().nullable(),
  is_on: z.boolean(),
  by: z.string(),
  reason: z.string(),
  at: z.date(),
});
export type SwitchRow = z.output<typeof SwitchRow>;

/** The current state of each method switch, without rows that cannot be read. */
export async function selectSwitches(db: Db | Tx): Promise<SwitchRow[]> {
  return (await readSwitches(db)).rows;
}

export function readSwitches(db: Db | Tx) {
  return readRows(
    db,
    { table: 'method_switches', key: ['site_id', 'method'], row: SwitchRow },
    sql`
      select distinct on (site_id, method) method, site_id, is_on, by, reason, at
      from method_switches
      order by site_id, method, at desc, id desc
      limit 10000`,
  );
}

export async function insertSwitch(
  tx: Tx,
  turned: {
    id: string;
    method: PaymentMethod;
    siteId: string | null;
    isOn: boolean;
    by: string;
    reason: string;
    at: Date;
  },
): Promise<void> {
  await tx.run(sql`
    insert into method_switches (id, method, site_id, is_on, by, reason, at)
    values (${turned.id}, ${turned.method}, ${turned.siteId}, ${turned.isOn}, ${turned.by},
            ${turned.reason}, ${turned.at})`);
}
