import { usePrefetchInfiniteQuery, usePrefetchQuery } from '@tanstack/react-query';
import { NewsPage, useNewsTab } from '../news/news-page.tsx';
import { newsQuery, topNewsQuery } from '../news/news-queries.ts';
import { Footer } from '../shell/footer.tsx';
import { usePageTitle } from '../shell/page-title.ts';

export function NewsRoute() {
  usePageTitle('titles.news');
  const tab = useNewsTab();
  usePrefetchQuery(topNewsQuery);
  usePrefetchInfiniteQuery(newsQuery(tab));
  return (
    <>
      <NewsPage tab={tab} />
      <Footer />
    </>
  );
}
