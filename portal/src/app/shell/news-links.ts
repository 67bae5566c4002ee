import { useLocation } from 'react-router';
import { useAddresses } from '../../entities/addresses/addresses.ts';

/** The news tabs and their labels in the navigation. */
const tabs = [
  { tab: 'all', label: 'nav.all' },
  { tab: 'activity', label: 'nav.event' },
  { tab: 'strategy', label: 'nav.strategy' },
] as const;

type NewsTab = (typeof tabs)[number]['tab'];

/** The links of the news tabs and the open tab. An announcement page is in none of them. */
export function useNewsLinks() {
  const { news } = useAddresses();
  const { pathname, search } = useLocation();
  const wanted = new URLSearchParams(search).get('tab');
  const open: NewsTab = tabs.find(({ tab }) => tab === wanted)?.tab ?? 'all';
  return {
    links: tabs.map(({ tab, label }) => ({
      tab,
      label,
      to: tab === 'all' ? news : `${news}?tab=${tab}`,
    })),
    isNews: pathname.startsWith(news),
    tab: pathname === news ? open : null,
  };
}
