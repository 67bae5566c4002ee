import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { AppRoutes } from './app/router.tsx';
import { showSiteFailure } from './app/shell/site-failure.tsx';
import { LaterTracking } from './app/tracking/later-tracking.tsx';
import { receiveArrival } from './entities/session/arrival.ts';
import { sessionQuery } from './entities/session/session.ts';
import { identifyCaller } from './shared/api/client.ts';
import { createQueryClient } from './shared/api/query-client.ts';
import { serverTimeQuery } from './shared/api/server-time.ts';
import { currentEnvironment } from './shared/browser/environment.ts';
import { loadSiteConfig, SiteConfigProvider } from './shared/config/site-config.tsx';
import { applyTheme } from './shared/config/theme.ts';
import { startI18n } from './shared/i18n/i18n.ts';
import { warmIntl } from './shared/i18n/warm-intl.ts';
import { nextTask } from './shared/ui/next-task.ts';
import './shared/ui/tokens.css';
import './shared/ui/fonts.css';
import './shared/ui/locales.css';
import './shared/ui/base.css';

receiveArrival(currentEnvironment());
warmIntl();
// Yields to the browser between the parts of the start, for rendering and input.
await nextTask();

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root.');

const config = await loadSiteConfig().catch(async (error: unknown) => {
  await showSiteFailure(root, error);
  throw error;
});
applyTheme(config.theme);
// Before anything is drawn, so that the ribbon shifts nothing.
document.documentElement.classList.toggle('rehearsal', config.isRehearsal);
const { cgi, gameId } = config.gameInfo;
identifyCaller({ cgi, hversion: config.version, gameId: gameId ?? '' });

const queryClient = createQueryClient();
// Requested while the texts are loading, because nearly every page needs the session.
void queryClient.prefetchQuery(sessionQuery);
void queryClient.prefetchQuery(serverTimeQuery);
await nextTask();
await startI18n(config.locales);
await nextTask();

// Rendered in slices, so that the page stays responsive to scrolling and touches.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <SiteConfigProvider value={config}>
        <QueryClientProvider client={queryClient}>
          <BrowserRouter>
            <AppRoutes />
            <LaterTracking />
          </BrowserRouter>
        </QueryClientProvider>
      </SiteConfigProvider>
    </StrictMode>,
  ),
);
