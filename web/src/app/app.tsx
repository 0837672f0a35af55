import { type ReactNode, StrictMode } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';
import { TryOutBar } from './try-out-bar.tsx';

/** What is around every page, the same in the browser and in the build that prerenders pages. */
export function App({ children }: { children: ReactNode }) {
  return (
    <StrictMode>
      <ErrorBoundary>
        <TryOutBar />
        {children}
      </ErrorBoundary>
    </StrictMode>
  );
}
