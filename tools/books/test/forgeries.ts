import { gifts, waiting } from './forgeries/delivery.ts';
import type { Forgery } from './forgeries/forgery.ts';
import { pointGifts } from './forgeries/gifts.ts';
import { refunds } from './forgeries/given-back.ts';
import { histories, work } from './forgeries/history.ts';
import { houseTransfers } from './forgeries/house.ts';
import { balances, transfers } from './forgeries/ledger.ts';
import { amounts, atProvider } from './forgeries/money.ts';
import { drawOrder, movements, statements } from './forgeries/points.ts';
import { settlements } from './forgeries/settlement.ts';
import { chains, wallets } from './forgeries/wallets.ts';

export const forgeries: readonly Forgery[] = [
  ...[...transfers, ...movements, ...balances, ...atProvider, ...waiting, ...gifts, ...amounts],
  ...[
    ...histories,
    ...refunds,
    ...work,
    ...statements,
    ...drawOrder,
    ...pointGifts,
    ...settlements,
  ],
  ...[...wallets, ...chains, ...houseTransfers],
];
