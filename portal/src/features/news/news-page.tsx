import { useSuspenseInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import Newspaper from 'lucide-react/icons/newspaper';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { useSiteConfig } from '../../shared/config/site-config.tsx';
import { Boundary } from '../../shared/ui/boundary.tsx';
import { KeyArt } from '../../shared/ui/hero.tsx';
import { More } from '../../shared/ui/more.tsx';
import { SectionFailed } from '../../shared/ui/section-failed.tsx';
import { NewsCard, NewsCardSkeleton } from './news-card.tsx';
import { newsQuery, topNewsQuery } from './news-queries.ts';
import { type NewsTab, newsTabs } from './news-tabs.ts';
import { pinnedFirst } from './pinned-first.ts';
import './news-page.css';

export function NewsPage({ tab }: { tab: NewsTab }) {
  const { t } = useTranslation();
  const { siteTitle } = useSiteConfig();
  return (
    <main className="news-page" id="main">
      <KeyArt />
      <div className="news-body">
        <header className="news-head">
          <h1>{t('news.title')}</h1>
          <p>{t('news.lead', { site: siteTitle })}</p>
        </header>
        <Tabs chosen={tab} />
        {/* Keyed by tab, so that the error of one tab is not shown for another. */}
        <Boundary
          key={tab}
          waiting={<NewsListSkeleton />}
          failed={(error, retry) => (
            <SectionFailed title={t('news.listFailed')} error={error} onRetry={retry} />
          )}
        >
          <NewsList tab={tab} />
        </Boundary>
      </div>
    </main>
  );
}

/** The selected news tab from the address. */
export function useNewsTab(): NewsTab {
  const [query] = useSearchParams();
  const asked = query.get('tab');
  return newsTabs.find((tab) => tab === asked) ?? 'all';
}

/** Links, because each tab has an address and an entry in the history. */
function Tabs({ chosen }: { chosen: NewsTab }) {
  const { t } = useTranslation();
  const { news } = useAddresses();
  const [query] = useSearchParams();
  const addressOf = (tab: NewsTab) => {
    const next = new URLSearchParams(query);
    if (tab === 'all') next.delete('tab');
    else next.set('tab', tab);
    const text = next.toString();
    return text === '' ? news : `${news}?${text}`;
  };
  return (
    <nav className="news-tabs" aria-label={t('news.tabs')}>
      {newsTabs.map((tab) => (
        <Link
          key={tab}
          to={addressOf(tab)}
          aria-current={tab === chosen ? 'page' : undefined}
          preventScrollReset
        >
          {t(`news.tab.${tab}`)}
        </Link>
      ))}
    </nav>
  );
}

function NewsList({ tab }: { tab: NewsTab }) {
  const { t } = useTranslation();
  const { data: pinned } = useSuspenseQuery(topNewsQuery);
  const news = useSuspenseInfiniteQuery(newsQuery(tab));
  const pages = news.data.pages.map(({ bulletins }) => bulletins);
  const bulletins = pinnedFirst({ tab, pinned, listed: pages.flat() });
  const list = useFocusOnMore(bulletins.length, pages.length);
  if (bulletins.length === 0) return <Empty />;
  return (
    <>
      <ul className="news-list" ref={list}>
        {bulletins.map((bulletin, place) => (
          <li key={bulletin.bulletinId}>
            <NewsCard
              bulletin={bulletin}
              level={2}
              shape={place === 0 ? 'lead' : 'card'}
              isFirst={place < 2}
              showsPin
            />
          </li>
        ))}
      </ul>
      {news.hasNextPage && (
        <More
          failedTitle={t('news.listFailed')}
          error={news.isFetchNextPageError ? news.error : null}
          isBusy={news.isFetchingNextPage}
          onMore={() => void news.fetchNextPage()}
        />
      )}
    </>
  );
}

/** Moves the focus to the first new entry after a further page was loaded. */
function useFocusOnMore(count: number, pages: number) {
  const list = useRef<HTMLUListElement>(null);
  const before = useRef({ count, pages });
  useEffect(() => {
    if (pages > before.current.pages) {
      list.current?.children[before.current.count]?.querySelector('a')?.focus();
    }
    before.current = { count, pages };
  }, [count, pages]);
  return list;
}

function Empty() {
  const { t } = useTranslation();
  return (
    <div className="news-empty">
      <Newspaper size={40} strokeWidth={1.5} aria-hidden="true" />
      <p className="news-empty-title">{t('news.empty')}</p>
      <p>{t('news.emptyHint')}</p>
    </div>
  );
}

function NewsListSkeleton() {
  return (
    <div className="news-list" aria-hidden="true">
      <NewsCardSkeleton shape="lead" />
      {[2, 3, 4, 5, 6, 7, 8].map((place) => (
        <NewsCardSkeleton key={place} shape="card" />
      ))}
    </div>
  );
}
