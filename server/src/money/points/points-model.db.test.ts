import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyCommand, type Command, type Step } from '../../../test/points/commands.ts';
import { balanceOf, type Model, newModel, perform, resolve } from '../../../test/points/model.ts';
import { givenWallet, openPointsDb, type TestWallet } from '../../../test/points/wallets.ts';
import type { Db } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { expireLots, walletOf } from './points.ts';

let db: Db;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ db, close } = await openPointsDb());
});
afterAll(() => close());

async function performInDatabase(wallet: TestWallet, step: Step): Promise<unknown> {
  switch (step.type) {
    case 'top_up': {
      const { originId, basic, present, days } = step;
      return await wallet.topUp({
        originId,
        basic: BigInt(basic),
        present: BigInt(present),
        days,
      });
    }
    case 'spend': {
      const { originId, points, isBasicFirst } = step;
      const spendOrder = isBasicFirst ? 'basic_first' : 'present_first';
      return await wallet.spend(BigInt(points), { originId, spendOrder });
    }
    case 'give_back':
      return await wallet.giveBack(step.originId, BigInt(step.points), step.posting);
    case 'keep': {
      const { originId, basic, present, posting } = step;
      return await wallet.keep(originId, BigInt(basic), BigInt(present), posting);
    }
    case 'freeze':
      return await wallet.freeze(step.originId, step.isFrozen);
    case 'wait':
      return await wallet.letDaysPass(step.days);
    case 'sweep':
      return await expireLots(db, { rowsMax: 100 });
  }
}

async function refusalOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

async function lotsInDatabase(wallet: TestWallet): Promise<string[]> {
  const { lots } = await wallet.records();
  return lots
    .map((lot) => `${lot.lot_id} ${lot.remaining} ${lot.spent} ${lot.expired} ${lot.claimed}`)
    .sort();
}

const lotsInModel = ({ lots }: Model) =>
  lots
    .map((lot) => `${lot.lotId} ${lot.remaining} ${lot.spent} ${lot.expired} ${lot.claimed}`)
    .sort();

// Every history starts with a top-up, so that the wallet exists.
const firstOfAll: Command = { type: 'top_up', basic: 1, present: 1, days: 10 };

test('after random commands, the point wallet tables match a reference model of the wallet and the ledger balances', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyCommand, { maxLength: 25, size: 'max' }), async (commands) => {
      const model = newModel();
      const wallet = await givenWallet(db);
      for (const command of [firstOfAll, ...commands]) {
        const step = resolve(model, command);
        if (step === undefined) continue;
        expect(await refusalOf(performInDatabase(wallet, step))).toBe(perform(model, step));
        expect(await walletOf(db, wallet.accountId)).toMatchObject(balanceOf(model));
        expect(await lotsInDatabase(wallet)).toEqual(lotsInModel(model));
        expect(await wallet.faults()).toEqual([]);
      }
    }),
    { numRuns: 20 },
  );
});
