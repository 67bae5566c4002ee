import { useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { useSystem } from '../../entities/session/use-system.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { packArt } from '../../shared/ui/art.ts';
import { Boundary } from '../../shared/ui/boundary.tsx';
import { SectionFailed } from '../../shared/ui/section-failed.tsx';
import { useNowAt } from '../../shared/ui/use-now.ts';
import { giftText, totalOf } from './gift-text.ts';
import { availabilityOf, momentsOf, type Pack, packOfItem } from './pack.ts';
import { itemGroupsQuery } from './recharge-queries.ts';
import { useCurrency } from './use-currency.ts';
import './pack-strip.css';

const shownMax = 6;

/** A few packs on another page. Each links to the top-up page and is preselected there. */
export function PackStrip({ gameId }: { gameId: string }) {
  const { t } = useTranslation();
  return (
    <Boundary
      waiting={<PackStripSkeleton />}
      failed={(error, retry) => (
        <SectionFailed title={t('recharge.itemsFailed')} error={error} onRetry={retry} />
      )}
    >
      <Packs gameId={gameId} />
    </Boundary>
  );
}

function Packs({ gameId }: { gameId: string }) {
  const { t } = useTranslation();
  const system = useSystem();
  const { asked: currency } = useCurrency();
  const { data } = useSuspenseQuery(itemGroupsQuery({ gameId, system, currency }));
  const { groups } = data;
  const packs = useMemo(() => groups.flatMap(({ items }) => items.map(packOfItem)), [groups]);
  const now = useNowAt(momentsOf(packs));
  const open = packs.filter((pack) => availabilityOf(pack, now) === 'open').slice(0, shownMax);
  if (open.length === 0) {
    const words = system === 'ios' ? 'errors.NotAvailableInIos' : 'recharge.nothing';
    return <p className="strip-empty">{t(words)}</p>;
  }
  return (
    <ul className="pack-strip">
      {open.map((pack) => (
        <li key={pack.itemId}>
          <PackLink pack={pack} />
        </li>
      ))}
    </ul>
  );
}

function PackLink({ pack }: { pack: Pack }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { recharge } = useAddresses();
  const gift = giftText(t, format, pack);
  return (
    <Link
      className={`strip-pack tier-${pack.tier}`}
      to={recharge({ target: 'game', itemId: pack.itemId })}
    >
      <span className="strip-stage">
        <img
          {...packArt(pack.art)}
          sizes="132px"
          width={384}
          height={384}
          alt=""
          decoding="async"
          loading="lazy"
        />
      </span>
      <span className="strip-quantity">
        {format.number(pack.quantity)} <small>{pack.unit}</small>
      </span>
      <span className="strip-gift">
        {gift !== null && `${gift} = ${format.number(totalOf(pack))}`}
      </span>
      <span className="strip-price">{format.price(pack.price)}</span>
    </Link>
  );
}

export function PackStripSkeleton() {
  return (
    <div className="pack-strip" aria-hidden="true">
      {[1, 2, 3, 4, 5, 6].map((place) => (
        <div key={place} className="skeleton strip-skeleton" />
      ))}
    </div>
  );
}
