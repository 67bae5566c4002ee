import { gifts, waiting } from './forgeries/delivery.ts';
import type { Forgery } from './forgeries/forgery.ts';
import { presents } from './forgeries/gifts.ts';
import { givenBack } from './forgeries/given-back.ts';
import { histories, work } from './forgeries/history.ts';
import { houses } from './forgeries/house.ts';
import { balances, transfers } from './forgeries/ledger.ts';
import { abroad, amounts } from './forgeries/money.ts';
import { movements, statements, turns } from './forgeries/points.ts';
import { settlements } from './forgeries/settlement.ts';
import { chains, wallets } from './forgeries/wallets.ts';

export const forgeries: readonly Forgery[] = [
  ...[...transfers, ...movements, ...balances, ...abroad, ...waiting, ...gifts, ...amounts],
  ...[...histories, ...givenBack, ...work, ...statements, ...turns, ...presents, ...settlements],
  ...[...wallets, ...chains, ...houses],
];
