import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useSiteConfig } from '../config/site-config.tsx';
import { useUser } from '../session/session.ts';
import { pageOf } from './pages.ts';
import { openVisit, type Visit } from './visit.ts';

/** Reports the visit to the logger of the site. Renders nothing. */
export function Tracking() {
  const config = useSiteConfig();
  const { pathname } = useLocation();
  const { isInit } = useUser();
  const [visit, setVisit] = useState<Visit | null>(null);

  useEffect(() => {
    const opened = openVisit(config);
    setVisit(opened);
    return () => opened?.close();
  }, [config]);

  // Keyed by page name, not by path: moving from one order to the next is a single stay.
  const page = pageOf(pathname);
  useEffect(() => visit?.enter(page), [visit, page]);

  useEffect(() => {
    if (isInit) visit?.begin();
  }, [visit, isInit]);
  return null;
}
