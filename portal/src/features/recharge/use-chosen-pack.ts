import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { needOf, needParameter } from '../../entities/payment/need.ts';
import { type Format, useFormat } from '../../shared/i18n/format.ts';
import { totalOf } from './gift-text.ts';
import { availabilityOf, type Pack } from './pack.ts';

interface Choice {
  pack: Pack | undefined;
  /** The text that explains why the pack cannot be bought. */
  blocker: string | null;
  choose: (pack: Pack) => void;
}

/**
 * The selected pack. Also kept in the address, so that it survives a reload and a sign-in. A
 * selected pack stays selected when it is sold out or removed: if another pack replaced it
 * automatically, a click on Pay could buy the wrong one.
 */
export function useChosenPack(packs: readonly Pack[], now: number): Choice {
  const { t } = useTranslation();
  const format = useFormat();
  const [query, setQuery] = useSearchParams();
  const wanted = { now, itemId: query.get('item'), need: needOf(query) };
  const [kept, setKept] = useState(() => firstChoice(packs, wanted));
  const found = packs.find(({ itemId }) => itemId === kept?.itemId);
  const pack = found ?? kept ?? firstChoice(packs, wanted);
  if (pack !== kept) setKept(pack);
  const isGone = pack !== undefined && !packs.includes(pack);
  return {
    pack,
    blocker: pack === undefined ? null : blockerOf(t, format, { pack, isGone, now }),
    choose: (next) => {
      setKept(next);
      query.delete(needParameter);
      query.set('item', next.itemId);
      setQuery(query, { replace: true, preventScrollReset: true });
    },
  };
}

function firstChoice(
  packs: readonly Pack[],
  { now, itemId, need }: { now: number; itemId: string | null; need: bigint | null },
): Pack | undefined {
  const open = packs.filter((pack) => availabilityOf(pack, now) === 'open');
  const wanted = open.find((pack) => pack.itemId === itemId);
  // If no pack covers the shortage, the largest one is selected.
  const enough =
    need === null ? undefined : (open.find((pack) => totalOf(pack) >= need) ?? open.at(-1));
  return wanted ?? enough ?? open[1] ?? open[0] ?? packs[0];
}

function blockerOf(
  t: TFunction,
  format: Format,
  { pack, isGone, now }: { pack: Pack; isGone: boolean; now: number },
): string | null {
  const availability = availabilityOf(pack, now);
  if (availability === 'ended') return t('recharge.saleOver');
  if (isGone) return t('errors.ItemNotForSale');
  if (availability === 'open') return null;
  const resetAt = pack.limit?.resetAt ?? null;
  if (resetAt === null) return t('errors.PurchaseLimitReached');
  return t('recharge.limitAgain', { time: format.dateTime(resetAt) });
}
