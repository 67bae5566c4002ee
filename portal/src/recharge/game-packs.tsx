import type { Character, GameServer } from '@pointgate/contract/characters.ts';
import type { ErrorCode } from '@pointgate/contract/errors.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { currentSystem } from '../api/system.ts';
import type { Wish } from '../payment/order-intent.ts';
import { useUser } from '../session/session.ts';
import { type Pack, packOfItem } from './pack.ts';
import { PackShop } from './pack-shop.tsx';
import { itemGroupsQuery } from './recharge-queries.ts';
import { useCheckout, useChosenPack } from './use-checkout.ts';

export interface GamePacksProps {
  gameId: string;
  character: Character | null;
  /** A server without a role yet. */
  server: GameServer | null;
}

/** Packs for a role in the game. */
export function GamePacks({ gameId, character, server }: GamePacksProps) {
  const { t } = useTranslation();
  const { accountId } = useUser();
  const { data } = useSuspenseQuery(itemGroupsQuery(gameId));
  const groups = data
    .map(({ items, ...group }) => ({ ...group, packs: items.map(packOfItem) }))
    .filter(({ packs }) => packs.length > 0);
  const [pack, choose] = useChosenPack(groups.flatMap(({ packs }) => packs));

  const missing = whatIsMissing(character, server);
  const wishFor = ({ itemId }: Pack, method: PaymentMethod): Wish | null => {
    if (character === null || accountId === null) return null;
    const { serverId } = character.server;
    const { roleId } = character.role;
    const system = currentSystem();
    const goods = { gameId, itemId, quantity: 1, serverId, roleId };
    return { kind: 'item', accountId, ...goods, method, system };
  };
  const checkout = useCheckout({
    pack,
    recipient: character && {
      label: t('characters.deliverTo'),
      name: `${character.role.name} · ${character.server.name}`,
      shortName: character.role.name,
    },
    blocker: missing && t(`errors.${missing}`),
    wishFor,
  });
  if (checkout === null) return <p className="recharge-empty">{t('recharge.nothing')}</p>;
  return <PackShop groups={groups} checkout={checkout} onChoose={choose} />;
}

function whatIsMissing(character: Character | null, server: GameServer | null) {
  if (character?.server.status === 1) return 'ServerMaintenance' satisfies ErrorCode;
  if (character !== null) return null;
  return (server === null ? 'ServerNotFound' : 'RoleNotFound') satisfies ErrorCode;
}
