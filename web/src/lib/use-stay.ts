import { useEffect } from 'react';

/**
 * Keeps the seller on the page while something is shown that would be lost: closing or reloading the tab asks first, and
 * Back does nothing. On a phone Back is what Escape is on a keyboard.
 */
export function useStay(): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    // An entry of the same address, for Back to leave instead of this page. The router sees no change in it.
    const block = () => history.pushState(history.state, '');
    block();
    window.addEventListener('beforeunload', warn);
    window.addEventListener('popstate', block);
    return () => {
      window.removeEventListener('beforeunload', warn);
      window.removeEventListener('popstate', block);
      history.back();
    };
  }, []);
}
