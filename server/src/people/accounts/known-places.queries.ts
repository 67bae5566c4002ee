import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import type { DeleteSome } from '../../platform/retention.ts';

/** Whether the account was signed in to from this network or in this browser since this time. */
export function selectIsKnown(
  db: Db,
  key: { accountId: string; network: string; deviceHash: Buffer | null; since: Date },
): Promise<{ is_known_network: boolean; is_known_device: boolean }> {
  return db.one(
    z.object({ is_known_network: z.boolean(), is_known_device: z.boolean() }),
    sql`
      select
        exists (
          select from known_networks
          where account_id = ${key.accountId} and network = ${key.network}::cidr
            and last_at > ${key.since}) as is_known_network,
        exists (
          select from known_devices
          where account_id = ${key.accountId} and device_hash = ${key.deviceHash}
            and last_at > ${key.since}) as is_known_device`,
  );
}

export async function upsertKnownNetwork(
  tx: Tx,
  known: { accountId: string; network: string; at: Date },
): Promise<void> {
  await tx.run(sql`
    insert into known_networks (account_id, network, last_at)
    values (${known.accountId}, ${known.network}::cidr, ${known.at})
    on conflict (account_id, network) do update set last_at = excluded.last_at`);
}

export async function upsertKnownDevice(
  tx: Tx,
  known: { accountId: string; deviceHash: Buffer; at: Date },
): Promise<void> {
  await tx.run(sql`
    insert into known_devices (account_id, device_hash, last_at)
    values (${known.accountId}, ${known.deviceHash}, ${known.at})
    on conflict (account_id, device_hash) do update set last_at = excluded.last_at`);
}

/** Keeps only the newest browsers, so that endless new browsers cannot fill the table. */
export async function deleteDevicesBeyond(
  tx: Tx,
  { accountId, kept }: { accountId: string; kept: number },
): Promise<void> {
  await tx.run(sql`
    delete from known_devices where account_id = ${accountId} and device_hash in
      (select device_hash from known_devices where account_id = ${accountId}
       order by last_at desc, device_hash offset ${kept})`);
}

/** Forgets the known places, which were earned with a password that is no longer valid. */
export async function deletePlaces(tx: Tx, accountId: string): Promise<void> {
  await tx.run(sql`delete from known_networks where account_id = ${accountId}`);
  await tx.run(sql`delete from known_devices where account_id = ${accountId}`);
}

export const deleteOldNetworks =
  (before: Date): DeleteSome =>
  (tx, rowsMax) =>
    tx.run(sql`
      delete from known_networks where (account_id, network) in
        (select account_id, network from known_networks where last_at <= ${before} limit ${rowsMax})`);

export const deleteOldDevices =
  (before: Date): DeleteSome =>
  (tx, rowsMax) =>
    tx.run(sql`
      delete from known_devices where (account_id, device_hash) in
        (select account_id, device_hash from known_devices where last_at <= ${before}
         limit ${rowsMax})`);
