import { SiteConfig, siteConfigElementId } from '@pointgate/contract/site-config.ts';
import { createContext, use } from 'react';

const SiteConfigContext = createContext<SiteConfig | null>(null);
export const SiteConfigProvider = SiteConfigContext.Provider;

export function useSiteConfig(): SiteConfig {
  const config = use(SiteConfigContext);
  if (config === null) throw new Error('There is no site config above this component.');
  return config;
}

/** The server writes the config into the page; a page served by something else asks for it. */
export async function loadSiteConfig(): Promise<SiteConfig> {
  const written = document.getElementById(siteConfigElementId)?.textContent;
  if (written) return SiteConfig.parse(JSON.parse(written));
  const reply = await fetch('/config.json');
  return SiteConfig.parse(await reply.json());
}
