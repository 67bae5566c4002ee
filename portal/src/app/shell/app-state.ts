import type { SiteConfig } from '@pointgate/contract/site-config.ts';
import { type UserState, useUser } from '../../entities/session/session.ts';
import { useToLink } from '../../entities/session/to-link.ts';
import { useSiteConfig } from '../../shared/config/site-config.tsx';
import { useIsMobile } from '../../shared/ui/use-media-query.ts';

interface AppState {
  userInfo: UserState;
  config: SiteConfig;
  /** True until user/info has been answered. */
  loading: boolean;
  isMobile: boolean;
  /** Turns an address of the portal into a link that keeps the parameters of the visit. */
  toLink: (address: string) => string;
}

/** The state used by the layout of every page. There is no store: each part has its own hook. */
export function useAppState(): AppState {
  const userInfo = useUser();
  const config = useSiteConfig();
  const isMobile = useIsMobile();
  const toLink = useToLink();
  return { userInfo, config, loading: !userInfo.isInit, isMobile, toLink };
}
