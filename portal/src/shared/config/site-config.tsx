import { SiteConfig, siteConfigElementId } from '@pointgate/contract/site-config.ts';
import { createContext, use } from 'react';
import * as z from 'zod/mini';
import { ApiError } from '../api/api-error.ts';

const SiteConfigContext = createContext<SiteConfig | null>(null);
export const SiteConfigProvider = SiteConfigContext.Provider;

export function useSiteConfig(): SiteConfig {
  const config = use(SiteConfigContext);
  if (config === null) throw new Error('The component is not inside a SiteConfigProvider.');
  return config;
}

/** The game of a single-game site. */
export function useSiteGame(): string {
  const { gameId } = useSiteConfig().gameInfo;
  if (gameId === null) throw new Error('The site has no game of its own.');
  return gameId;
}

/**
 * Reads the config that the server wrote into the page, or fetches it otherwise. Throws `ApiError`
 * if the server returned an error instead of a config.
 */
export async function loadSiteConfig(): Promise<SiteConfig> {
  const written = document.getElementById(siteConfigElementId)?.textContent;
  const said: unknown = written ? JSON.parse(written) : await (await fetch('/config.json')).json();
  const refused = Refusal.safeParse(said);
  if (!refused.success) return SiteConfig.parse(said);
  const { status, code, msg: message } = refused.data;
  throw new ApiError({ status, code, message });
}

const Refusal = z.object({
  isSuccess: z.literal(false),
  status: z.number(),
  code: z.string(),
  msg: z.string(),
});
