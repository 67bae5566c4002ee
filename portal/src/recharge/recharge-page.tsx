import type { Item } from '@pointgate/contract/catalogue.ts';
import type { Character, GameServer } from '@pointgate/contract/characters.ts';
import type { ErrorCode } from '@pointgate/contract/errors.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { currentSystem } from '../api/system.ts';
import { useSiteConfig } from '../config/site-config.tsx';
import { errorText } from '../i18n/error-text.ts';
import { useUser } from '../session/session.ts';
import { Alert } from '../ui/alert.tsx';
import { Boundary } from '../ui/boundary.tsx';
import { Button } from '../ui/button.tsx';
import { useHasOrderPanel } from '../ui/use-media-query.ts';
import { type CheckoutProps, OrderPanel, PayBar } from './checkout.tsx';
import { PackCard } from './pack-card.tsx';
import { itemGroupsQuery } from './recharge-queries.ts';
import { usePayWish } from './use-pay.ts';
import './recharge-page.css';

interface RechargePageProps {
  gameId: string;
  character: Character | null;
  /** A server without a role yet. */
  server: GameServer | null;
  hero: ReactNode;
}

export function RechargePage({ hero, ...shop }: RechargePageProps) {
  const { t } = useTranslation();
  return (
    <main className="recharge" id="main">
      {hero}
      <div className="recharge-body">
        <Boundary
          waiting={<ShopSkeleton />}
          failed={(error, retry) => (
            <div className="recharge-failed">
              <Alert title={t('recharge.itemsFailed')}>
                <p>{errorText(t, error)}</p>
              </Alert>
              <Button kind="secondary" onClick={retry}>
                {t('global.retry')}
              </Button>
            </div>
          )}
        >
          <Shop {...shop} />
        </Boundary>
      </div>
    </main>
  );
}

function Shop({ gameId, character, server }: Omit<RechargePageProps, 'hero'>) {
  const { t } = useTranslation();
  const { data: groups } = useSuspenseQuery(itemGroupsQuery(gameId));
  const filled = groups.filter(({ items }) => items.length > 0);
  const items = filled.flatMap((group) => group.items);
  const [item, choose] = useChosenItem(items);
  const hasOrderPanel = useHasOrderPanel();
  const checkout = useCheckout({ gameId, character, server, item });
  if (checkout === null) return <p className="recharge-empty">{t('recharge.nothing')}</p>;

  return (
    <>
      <div>
        <h2 className="recharge-heading">{t('recharge.omniCards')}</h2>
        <fieldset disabled={checkout.isBusy}>
          <legend className="visually-hidden">{t('recharge.choosePack')}</legend>
          {filled.map((group) => (
            <div key={group.groupId} className="pack-group">
              {filled.length > 1 && <h3>{group.name}</h3>}
              <div className="pack-grid">
                {group.items.map((each) => (
                  <PackCard
                    key={each.itemId}
                    item={each}
                    isChosen={each.itemId === checkout.item.itemId}
                    onChoose={() => choose(each)}
                  />
                ))}
              </div>
            </div>
          ))}
        </fieldset>
      </div>
      {hasOrderPanel ? <OrderPanel {...checkout} /> : <PayBar {...checkout} />}
    </>
  );
}

/** Kept in the address too, so that a reload and the way through sign-in find the same pack. */
function useChosenItem(items: readonly Item[]): [Item | undefined, (item: Item) => void] {
  const [query, setQuery] = useSearchParams();
  const [itemId, setItemId] = useState(query.get('item'));
  const chosen = items.find((item) => item.itemId === itemId) ?? items[1] ?? items[0];
  return [
    chosen,
    (item) => {
      setItemId(item.itemId);
      query.set('item', item.itemId);
      setQuery(query, { replace: true, preventScrollReset: true });
    },
  ];
}

interface Basket {
  gameId: string;
  character: Character | null;
  server: GameServer | null;
  item: Item | undefined;
}

/** `null` when there is nothing to pay for, or no way to pay. */
function useCheckout({ gameId, character, server, item }: Basket): CheckoutProps | null {
  const { t } = useTranslation();
  const { methods } = useSiteConfig();
  const { accountId } = useUser();
  const [chosenMethod, setMethod] = useState(methods[0]);
  const { pay, isBusy, failure } = usePayWish();
  if (item === undefined || chosenMethod === undefined) return null;

  // A refusal is of one pack for one role; beside another choice it would be a lie.
  const isOfThis =
    failure?.input.itemId === item.itemId && failure.input.roleId === character?.role.roleId;
  const missing = whatIsMissing(character, server);
  return {
    item,
    character,
    methods,
    method: chosenMethod,
    onMethod: setMethod,
    blocker: missing === null ? null : t(`errors.${missing}`),
    error: isOfThis ? failure.error : null,
    isBusy,
    onPay: () => {
      if (character === null || accountId === null) return;
      pay({
        accountId,
        gameId,
        itemId: item.itemId,
        quantity: 1,
        serverId: character.server.serverId,
        roleId: character.role.roleId,
        method: chosenMethod,
        system: currentSystem(),
      });
    },
  };
}

function whatIsMissing(character: Character | null, server: GameServer | null) {
  if (character?.server.status === 1) return 'ServerMaintenance' satisfies ErrorCode;
  if (character !== null) return null;
  return (server === null ? 'ServerNotFound' : 'RoleNotFound') satisfies ErrorCode;
}

export function ShopSkeleton() {
  return (
    <>
      <div aria-hidden="true">
        <div className="skeleton recharge-heading-skeleton" />
        <div className="pack-grid">
          {[1, 2, 3, 4, 5, 6].map((place) => (
            <div key={place} className="skeleton pack-skeleton" />
          ))}
        </div>
      </div>
      <div className="skeleton order-panel-skeleton" aria-hidden="true" />
    </>
  );
}
