import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useSiteConfig } from '../config/site-config.tsx';
import { useUser } from '../session/session.ts';
import { pageOf } from './pages.ts';
import { openVisit, type Visit } from './visit.ts';

/** Tells the shop's logger of the visit. Shows nothing. */
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

  // By page and not by path: going from one order to the next is a stay on the page of orders.
  const page = pageOf(pathname);
  useEffect(() => visit?.enter(page), [visit, page]);

  useEffect(() => {
    if (isInit) visit?.begin();
  }, [visit, isInit]);
  return null;
}
