import type { SiteConfig } from '@pointgate/contract/site-config.ts';
import { useSiteConfig } from '../config/site-config.tsx';
import { type UserState, useUser } from '../session/session.ts';
import { useToLink } from '../session/to-link.ts';
import { useIsMobile } from '../ui/use-media-query.ts';

interface AppState {
  userInfo: UserState;
  config: SiteConfig;
  /** Until the shop has said who this is. */
  loading: boolean;
  isMobile: boolean;
  /** Makes an address of the portal a link that keeps what belongs to the visit. */
  toLink: (address: string) => string;
}

/** What the frame of every page stands on. There is no store: each part has a hook of its own. */
export function useAppState(): AppState {
  const userInfo = useUser();
  const config = useSiteConfig();
  const isMobile = useIsMobile();
  const toLink = useToLink();
  return { userInfo, config, loading: !userInfo.isInit, isMobile, toLink };
}
