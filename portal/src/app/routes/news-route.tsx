import { usePrefetchInfiniteQuery, usePrefetchQuery } from '@tanstack/react-query';
import { NewsPage, useNewsTab } from '../../features/news/news-page.tsx';
import { newsQuery, topNewsQuery } from '../../features/news/news-queries.ts';
import { Footer } from '../shell/footer.tsx';

export function NewsRoute() {
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
