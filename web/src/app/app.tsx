import { Component, type ReactNode, StrictMode } from 'react';
import { Button } from '#web/ui/button.tsx';

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

/** Offers a reload if a page fails to load or render, for example after a new version was released. */
class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    const isTooOld = document.documentElement.dataset.tooOld !== undefined;
    return (
      <main className="grid min-h-dvh place-items-center p-6">
        <div role="alert" className="grid max-w-sm justify-items-center gap-4 text-center">
          <h1 className="text-xl font-semibold">We couldn't show this page</h1>
          {isTooOld ? (
            <p className="text-ink-soft">Your work is safe. This browser is too old to show it.</p>
          ) : (
            <>
              <p className="text-ink-soft">Your work is safe. Reloading the page usually helps.</p>
              <Button onClick={() => location.reload()}>Reload</Button>
            </>
          )}
        </div>
      </main>
    );
  }
}

/**
 * A bar on every page of a try-out installation. It is in every page, so that nothing moves when it appears; the server
 * marks the document of a try-out with `data-try-out`, without which base.css hides it.
 */
function TryOutBar() {
  return (
    <aside
      aria-label="Try-out"
      className="try-out-bar border-b border-line bg-surface px-4 py-1.5 text-center text-xs text-ink-soft"
    >
      <strong className="font-semibold text-ink">Try-out</strong>: payments, emails or images may not be real.
    </aside>
  );
}
