import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';
import { AppRoutes } from './routes.tsx';
import { Submissions } from './submissions.tsx';
import { TryOutBar } from './try-out-bar.tsx';

/**
 * The app, the same in the browser and in the build that prerenders pages.
 * @param renderRouter wraps the content in the router of either
 */
export function App({
  client,
  renderRouter,
}: {
  client: QueryClient;
  renderRouter: (content: ReactNode) => ReactNode;
}) {
  return (
    <StrictMode>
      <ErrorBoundary>
        <QueryClientProvider client={client}>
          {renderRouter(
            <>
              <TryOutBar />
              <Submissions>
                <AppRoutes />
              </Submissions>
            </>,
          )}
        </QueryClientProvider>
      </ErrorBoundary>
    </StrictMode>
  );
}
