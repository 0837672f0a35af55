import { useEffect, useState } from 'react';

/**
 * Leads to a page of another site, such as a checkout.
 * @returns whether one is on the way, and the way: the page stays in sight until the other one has come
 */
export function useRedirect(): [leaving: boolean, leaveTo: (url: string) => void] {
  const [leaving, setLeaving] = useState(false);
  useEffect(() => {
    // The browser's Back button may bring this very page back, as it was left.
    const cameBack = (event: PageTransitionEvent) => event.persisted && setLeaving(false);
    window.addEventListener('pageshow', cameBack);
    return () => window.removeEventListener('pageshow', cameBack);
  }, []);
  const leaveTo = (url: string) => {
    setLeaving(true);
    location.assign(url);
  };
  return [leaving, leaveTo];
}
