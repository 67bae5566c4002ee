import { afterAll, beforeAll, expect, test } from 'vitest';
import { startClock } from '../../../test/codes.ts';
import { openTestDb } from '../../../test/database.ts';
import { databaseCpuMs } from '../../../test/database-cpu.ts';
import {
  attackWhileOwnersSignIn,
  networkAt,
  openTestSignIns,
} from '../../../test/sign-in-attack.ts';
import type { Db } from '../../platform/db.ts';
import { log } from '../../platform/log.ts';

let db: Db;
let close: () => Promise<void>;
beforeAll(async () => {
  log.level = 'silent';
  ({ db, close } = await openTestDb());
});
afterAll(() => close());

const refusedCount = 10_000;
/** Processor time of the database. Three times what a busy machine took. */
const refusedMsMax = 2;

test('account owners can sign in during an attack of 10,000 sign-ins, and each refused sign-in costs the database at most 2 ms', async () => {
  const signIns = openTestSignIns(db, startClock());
  const size = { attempts: 10_000, addresses: 5_000, names: 1_000, owners: 200 };
  const { ownersIn, guessed, answers } = await attackWhileOwnersSignIn(db, signIns, size);
  const before = await databaseCpuMs(db);
  for (let index = 0; index < refusedCount; index += 1) {
    const answer = await signIns.byName(networkAt(index % 5_000), `nobody-${index}`, 'Guess-1');
    expect(answer).toBe('HumanProofNeeded');
  }
  const refusedMs = ((await databaseCpuMs(db)) - before) / refusedCount;
  console.log({ ownersIn, guessed, hashed: signIns.hashed(), refusedMs, answers });
  expect(ownersIn).toBeGreaterThanOrEqual(199);
  expect(guessed).toBe(0);
  expect(refusedMs).toBeLessThan(refusedMsMax);
}, 1_800_000);
