import type { ParseKeys } from 'i18next';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSiteConfig } from '../config/site-config.tsx';

type TitleKey = Extract<ParseKeys, `titles.${string}`>;

/** Names the browser tab: the page, then the site, in the language of the moment. */
export function usePageTitle(key: TitleKey): void {
  const { t } = useTranslation();
  useTabTitle(t(key));
}

/** The same for a page whose name the publisher chose. */
export function useTabTitle(page: string): void {
  const { siteTitle } = useSiteConfig();
  const title = `${page} - ${siteTitle}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
}
