import { useLocation } from 'react-router';
import { useAddresses } from '../addresses.ts';

/** The tabs of the news, as the navigation calls them. */
const tabs = [
  { tab: 'all', label: 'nav.all' },
  { tab: 'activity', label: 'nav.event' },
  { tab: 'strategy', label: 'nav.strategy' },
] as const;

type NewsTab = (typeof tabs)[number]['tab'];

/** Where the tabs are, whether the news are open, and which tab. A single announcement is in none of them. */
export function useNewsLinks() {
  const { news } = useAddresses();
  const { pathname, search } = useLocation();
  const wanted = new URLSearchParams(search).get('tab');
  const open: NewsTab = tabs.find(({ tab }) => tab === wanted)?.tab ?? 'all';
  return {
    links: tabs.map(({ tab, label }) => ({
      ...{ tab, label, to: tab === 'all' ? news : `${news}?tab=${tab}` },
    })),
    isNews: pathname.startsWith(news),
    tab: pathname === news ? open : null,
  };
}
