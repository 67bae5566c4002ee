import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { LaterTracking } from './analytics/later-tracking.tsx';
import { identifyCaller } from './api/client.ts';
import { createQueryClient } from './api/query-client.ts';
import { serverTimeQuery } from './api/server-time.ts';
import { loadSiteConfig, SiteConfigProvider } from './config/site-config.tsx';
import { applyTheme } from './config/theme.ts';
import { startI18n } from './i18n/i18n.ts';
import { warmIntl } from './i18n/warm-intl.ts';
import { AppRoutes } from './router.tsx';
import { receiveArrival } from './session/arrival.ts';
import { currentEnvironment } from './session/environment.ts';
import { sessionQuery } from './session/session.ts';
import { showSiteFailure } from './shell/site-failure.tsx';
import { nextTask } from './ui/next-task.ts';
import './ui/tokens.css';
import './ui/fonts.css';
import './ui/locales.css';
import './ui/base.css';

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
