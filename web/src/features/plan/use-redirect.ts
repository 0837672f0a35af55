import { useEffect, useState } from 'react';
import { saveBeforeLeaving } from '#web/lib/leaving.ts';

/** Saves the draft and redirects to a page of another site, such as a checkout; `redirecting` is true until this page is left. */
export function useRedirect(): { redirecting: boolean; redirectTo: (url: string) => void } {
  const [redirecting, setRedirecting] = useState(false);
  useEffect(() => {
    // The Back button may restore this page from the back/forward cache with its state.
    const onPageShow = (event: PageTransitionEvent) => event.persisted && setRedirecting(false);
    window.addEventListener('pageshow', onPageShow);
    return () => window.removeEventListener('pageshow', onPageShow);
  }, []);
  const redirectTo = (url: string) => {
    setRedirecting(true);
    void saveBeforeLeaving().then(() => location.assign(url));
  };
  return { redirecting, redirectTo };
}
