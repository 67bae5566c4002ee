import { usePrefetchInfiniteQuery, usePrefetchQuery } from '@tanstack/react-query';
import { NewsPage, useNewsTab } from '../../features/news/news-page.tsx';
import { newsQuery, topNewsQuery } from '../../features/news/news-queries.ts';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { Footer } from '../shell/footer.tsx';

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
