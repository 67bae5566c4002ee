import { Currency } from '@pointgate/contract/money.ts';
import { readDecimalAmount, readDecimals } from '../../platform/decimal-amount.ts';
import type { SettlementLine } from './psp.ts';

type BookMoney = SettlementLine['money'];

const known = new Set(Intl.supportedValuesOf('currency'));

/**
 * Reads an amount of a settlement, which may be in a currency that the shop does not sell in. `undefined` if
 * it cannot be read exactly.
 */
export function readBookMoney(text: string, code: string): BookMoney | undefined {
  const currency = code.toUpperCase();
  const ours = Currency.safeParse(currency);
  if (!ours.success && !known.has(currency)) return undefined;
  const amountMinor = ours.success
    ? readDecimalAmount(text, ours.data)
    : readDecimals(text, decimalsOf(currency));
  return amountMinor === undefined ? undefined : { amountMinor, currency };
}

function decimalsOf(currency: string): number {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/**
 * The fee line and the exchange lines that belong to a payment line. Together with it they add up to the
 * change of the balance.
 */
export function linesBeside(
  line: SettlementLine,
  { gross, fee }: { gross: BookMoney; fee: BookMoney },
): SettlementLine[] {
  const beside: SettlementLine[] = [];
  const add = (name: string, kind: SettlementLine['kind'], money: BookMoney) => {
    if (money.amountMinor !== 0n) {
      beside.push({ ...line, lineId: `${line.lineId}:${name}`, kind, money });
    }
  };
  if (gross.currency !== line.money.currency) {
    const { amountMinor, currency } = line.money;
    add('exchanged', 'exchange', { amountMinor: -amountMinor, currency });
    add('exchange', 'exchange', gross);
  }
  const isOfDispute = line.kind === 'dispute';
  const taken = { amountMinor: -fee.amountMinor, currency: fee.currency };
  add('fee', isOfDispute ? 'dispute_fee' : 'fee', taken);
  return beside;
}
