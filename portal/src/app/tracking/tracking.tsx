import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useUser } from '../../entities/session/session.ts';
import { pageOf } from '../../shared/analytics/pages.ts';
import { openVisit, type Visit } from '../../shared/analytics/visit.ts';
import { useSiteConfig } from '../../shared/config/site-config.tsx';

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
