import { Component, type ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';

/** Offers a reload if a page fails to load or render, for example after a new version was released. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
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
