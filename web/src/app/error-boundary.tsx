import { Component, type ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';

/** Shows a way on when a page fails to load or to draw, after a new version was installed for instance. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main className="grid min-h-dvh place-items-center p-6">
        <div role="alert" className="grid max-w-sm justify-items-center gap-4 text-center">
          <h1 className="text-xl font-semibold">This page could not be shown</h1>
          <p className="text-ink-soft">Nothing of yours is lost. Loading the page again usually helps.</p>
          <Button onClick={() => location.reload()}>Load again</Button>
        </div>
      </main>
    );
  }
}
