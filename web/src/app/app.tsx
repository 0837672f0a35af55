import { type ReactNode, StrictMode } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';
import { AppRoutes } from './routes.tsx';
import { TryOutBar } from './try-out-bar.tsx';

/**
 * The app, the same in the browser and in the build that prerenders pages.
 * @param renderRouter wraps the content in the router of either
 */
export function App({ renderRouter }: { renderRouter: (content: ReactNode) => ReactNode }) {
  return (
    <StrictMode>
      <ErrorBoundary>
        {renderRouter(
          <>
            <TryOutBar />
            <AppRoutes />
          </>,
        )}
      </ErrorBoundary>
    </StrictMode>
  );
}
