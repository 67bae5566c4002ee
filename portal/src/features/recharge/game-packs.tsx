import type { Item, itemGroups } from '@pointgate/contract/catalogue.ts';
import type { Character, GameServer } from '@pointgate/contract/characters.ts';
import type { ReplyOf } from '@pointgate/contract/endpoint.ts';
import type { ErrorCode } from '@pointgate/contract/errors.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsOpen, useMaintenanceWord } from '../../entities/characters/maintenance.ts';
import type { OrderRequest } from '../../entities/payment/order-intent.ts';
import { useUser } from '../../entities/session/session.ts';
import { useSystem } from '../../entities/session/use-system.ts';
import { useNowAt } from '../../shared/ui/use-now.ts';
import { NothingForSale } from './nothing-for-sale.tsx';
import { momentsOf, type Pack, packOfItem } from './pack.ts';
import { type PackGroup, PackShop } from './pack-shop.tsx';
import { itemGroupsQuery } from './recharge-queries.ts';
import { useCheckout } from './use-checkout.ts';
import { useChosenPack } from './use-chosen-pack.ts';
import { useCurrency } from './use-currency.ts';

export interface GamePacksProps {
  gameId: string;
  character: Character | null;
  /** The chosen server while no role is chosen. */
  server: GameServer | null;
  /** Rendered above the packs. */
  above?: ReactNode;
}

/** Packs for a role in the game. */
export function GamePacks({ gameId, character, server, above }: GamePacksProps) {
  const { t } = useTranslation();
  const { accountId } = useUser();
  const system = useSystem();
  const { asked: currency } = useCurrency();
  const groups = usePackGroups(gameId, character);
  const packs = useMemo(() => groups.flatMap((group) => group.packs), [groups]);
  const now = useNowAt(momentsOf(packs));
  const { pack, choose, blocker } = useChosenPack(packs, now);

  const isOpen = useIsOpen(character?.server ?? null);
  const maintenance = useMaintenanceWord(character?.server ?? null);
  const missing = whatIsMissing(character, { server, isOpen });
  // The end is the more useful text where it is known.
  const textOf = (code: NonNullable<typeof missing>) =>
    code === 'ServerMaintenance' && character?.server.maintenanceUntil
      ? maintenance
      : t(`errors.${code}`);
  const requestFor = ({ itemId, quoteId }: Pack, method: PaymentMethod): OrderRequest | null => {
    if (character === null || accountId === null) return null;
    const { serverId } = character.server;
    const { roleId } = character.role;
    const goods = { gameId, itemId, quoteId, quantity: 1, serverId, roleId };
    return { kind: 'item', accountId, ...goods, method, system, ...(currency && { currency }) };
  };
  const checkout = useCheckout({
    goods: { kind: 'item', gameId },
    pack,
    recipient: character && {
      label: t('characters.deliverTo'),
      name: `${character.role.name} · ${character.server.name}`,
      shortName: character.role.name,
    },
    blocker: blocker ?? (missing && textOf(missing)),
    requestFor,
  });
  if (checkout === null) return <NothingForSale system={system} hasPacks={pack !== undefined} />;
  return <PackShop groups={groups} checkout={checkout} now={now} onChoose={choose} above={above} />;
}

/**
 * The list does not wait for the role: the server counts limits for the role chosen last. It is
 * requested again only for another role chosen here, and only if a limit is counted per role.
 */
function usePackGroups(gameId: string, character: Character | null): PackGroup[] {
  const asked = { gameId, system: useSystem(), currency: useCurrency().asked };
  const { data: list } = useSuspenseQuery(itemGroupsQuery(asked));
  const isCounted = character === null || !hasRoleLimits(list) || isCountedFor(list, character);
  const { data: listOfRole } = useQuery({
    ...itemGroupsQuery(asked, character),
    enabled: !isCounted,
  });
  return useMemo(() => {
    const { groups } = isCounted ? list : (listOfRole ?? list);
    const isForAnother = !isCounted && listOfRole === undefined;
    return groups
      .map(({ items, ...group }) => ({
        ...group,
        packs: items.map((item) => packOfItem(isForAnother ? uncounted(item) : item)),
      }))
      .filter(({ packs }) => packs.length > 0);
  }, [list, listOfRole, isCounted]);
}

type List = ReplyOf<typeof itemGroups>;

function hasRoleLimits({ groups }: List): boolean {
  return groups.some(({ items }) => items.some(({ limit }) => limit?.per === 'role'));
}

function isCountedFor({ countedFor }: List, { server, role }: Character): boolean {
  return countedFor?.serverId === server.serverId && countedFor.roleId === role.roleId;
}

/** Removes the remaining count, which belongs to another role. */
function uncounted(item: Item): Item {
  const { limit } = item;
  return limit?.per === 'role' ? { ...item, limit: { ...limit, packsLeft: null } } : item;
}

function whatIsMissing(
  character: Character | null,
  { server, isOpen }: { server: GameServer | null; isOpen: boolean },
) {
  if (character !== null && !isOpen) return 'ServerMaintenance' satisfies ErrorCode;
  if (character !== null) return null;
  return (server === null ? 'ServerNotFound' : 'RoleNotFound') satisfies ErrorCode;
}
