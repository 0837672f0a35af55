import { type ReactNode, useEffect } from 'react';
import { useMayBeSignedIn } from '#web/lib/signed-in-flag.ts';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';

/** The layout of every public page: a link that skips the header, the header, the page's content in `main`, the footer. */
export function SitePage({ children }: { children: ReactNode }) {
  // Public pages do not ask the server: if the session has ended, the studio says so.
  const signedIn = useMayBeSignedIn();
  useShowLinked();
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only z-40 rounded-field bg-surface px-4 py-3 font-semibold focus:not-sr-only focus:absolute focus:m-2"
      >
        Skip to content
      </a>
      <SiteHeader signedIn={signedIn} />
      <main id="content" tabIndex={-1} className="flex-1">
        {children}
      </main>
      <SiteFooter />
    </div>
  );
}

/** Shows the element that the address names after `#`, and opens it if it is a `details`. */
function useShowLinked(): void {
  useEffect(() => {
    const show = () => {
      const linked = document.getElementById(location.hash.slice(1));
      if (linked instanceof HTMLDetailsElement) linked.open = true;
      linked?.scrollIntoView();
    };
    show();
    window.addEventListener('hashchange', show);
    return () => window.removeEventListener('hashchange', show);
  }, []);
}
