import '#web/ui/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { initTheme } from '#web/lib/theme.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { createAppQueryClient } from './query-client.ts';
import { AppRoutes, preloadPage } from './routes.tsx';
import { Submissions } from './submissions.tsx';
import { TryOutBar } from './try-out-bar.tsx';

initTheme();
preloadPage(location.pathname);
const client = createAppQueryClient();
const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no element with the id "root".');
createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      <QueryClientProvider client={client}>
        {/* Without transitions, URL and cache change in the same render: no outdated page flashes in between. */}
        <BrowserRouter useTransitions={false}>
          <TryOutBar />
          <Submissions>
            <AppRoutes />
          </Submissions>
        </BrowserRouter>
      </QueryClientProvider>
    </ErrorBoundary>
  </StrictMode>,
);
