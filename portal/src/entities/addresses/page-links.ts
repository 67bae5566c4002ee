import { fillPath, pages } from '@pointgate/contract/pages.ts';
import type { ParseKeys } from 'i18next';
import { useSiteConfig } from '../../shared/config/site-config.tsx';

interface PageLink {
  words: Extract<ParseKeys, `footer.${string}`>;
  address: string;
  /** Whether the page is on another site of the publisher. */
  isElsewhere: boolean;
}

/** The content pages that every visitor may read. */
export function usePageLinks(): PageLink[] {
  const { privacyUrl, agreementUrl } = useSiteConfig().policies;
  const linkTo = (words: PageLink['words'], pageId: string, elsewhere: string | null = null) => ({
    words,
    address: elsewhere ?? fillPath(pages.common.content.path, { id: pageId }),
    isElsewhere: elsewhere !== null,
  });
  return [
    linkTo('footer.about', 'about-us'),
    linkTo('footer.contact', 'contact'),
    linkTo('footer.privacy', 'privacy-policy', privacyUrl),
    linkTo('footer.agreement', 'user-agreement', agreementUrl),
  ];
}
