import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { Boundary } from '../../shared/ui/boundary.tsx';
import { Section } from '../../shared/ui/section.tsx';
import { SectionFailed } from '../../shared/ui/section-failed.tsx';
import { NewsCard, NewsCardSkeleton } from './news-card.tsx';
import { topNewsQuery } from './news-queries.ts';
import './hot-news.css';

const shownMax = 3;

/** The pinned news, the first of them large. */
export function HotNews() {
  const { t } = useTranslation();
  const { news } = useAddresses();
  return (
    <Section title={t('news.hot')} more={{ to: news, text: t('news.all') }}>
      <Boundary
        waiting={<HotNewsSkeleton />}
        failed={(error, retry) => (
          <SectionFailed title={t('news.listFailed')} error={error} onRetry={retry} />
        )}
      >
        <Cards />
      </Boundary>
    </Section>
  );
}

function Cards() {
  const { t } = useTranslation();
  const { data: bulletins } = useSuspenseQuery(topNewsQuery);
  const [lead, ...rest] = bulletins.slice(0, shownMax);
  if (lead === undefined) return <p className="hot-news-empty">{t('news.empty')}</p>;
  return (
    <ul className="hot-news">
      <li>
        <NewsCard bulletin={lead} level={3} shape="lead" />
      </li>
      {rest.map((bulletin) => (
        <li key={bulletin.bulletinId}>
          <NewsCard bulletin={bulletin} level={3} shape="row" />
        </li>
      ))}
    </ul>
  );
}

export function HotNewsSkeleton() {
  return (
    <div className="hot-news" aria-hidden="true">
      <NewsCardSkeleton shape="lead" />
      <NewsCardSkeleton shape="row" />
      <NewsCardSkeleton shape="row" />
    </div>
  );
}
