import { useLocation } from 'react-router';

const news = '/main/event';

/** The tabs of the news, as the navigation calls them. */
export const newsLinks = [
  { tab: 'all', label: 'nav.all', to: news },
  { tab: 'activity', label: 'nav.event', to: `${news}?tab=activity` },
  { tab: 'strategy', label: 'nav.strategy', to: `${news}?tab=strategy` },
] as const;

type NewsTab = (typeof newsLinks)[number]['tab'];

/** Whether the news are open, and which of their tabs. A single announcement is in none of them. */
export function useOpenNews(): { isNews: boolean; tab: NewsTab | null } {
  const { pathname, search } = useLocation();
  const wanted = new URLSearchParams(search).get('tab');
  const open = newsLinks.find(({ tab }) => tab === wanted)?.tab ?? 'all';
  return { isNews: pathname.startsWith(news), tab: pathname === news ? open : null };
}
