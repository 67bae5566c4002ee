import { SiteConfig, siteConfigElementId } from '@pointgate/contract/site-config.ts';
import { createContext, use } from 'react';
import * as z from 'zod/mini';
import { ApiError } from '../api/api-error.ts';

const SiteConfigContext = createContext<SiteConfig | null>(null);
export const SiteConfigProvider = SiteConfigContext.Provider;

export function useSiteConfig(): SiteConfig {
  const config = use(SiteConfigContext);
  if (config === null) throw new Error('There is no site config above this component.');
  return config;
}

/**
 * The server writes the config into the page; a page served by something else asks for it. Throws
 * `ApiError` where the server says instead why there is none.
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
