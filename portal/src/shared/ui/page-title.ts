import type { ParseKeys } from 'i18next';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSiteConfig } from '../config/site-config.tsx';

export type TitleKey = Extract<ParseKeys, `titles.${string}`>;

/** Sets the document title: page and site, in the current language. */
export function usePageTitle(key: TitleKey): void {
  const { t } = useTranslation();
  useTabTitle(t(key));
}

/** Sets the document title for a page named by the publisher. */
export function useTabTitle(page: string): void {
  const { siteTitle } = useSiteConfig();
  const title = `${page} - ${siteTitle}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
}
