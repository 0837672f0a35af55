import { useEffect, useRef } from 'react';

/**
 * Keeps the seller on the page while something is shown that would be lost: closing or reloading the tab asks first, and
 * Back does not leave it. On a phone Back is what Escape is on a keyboard.
 * @param onBack called for each Back
 */
export function useLeaveGuard(onBack?: () => void): void {
  const answerBack = useRef(onBack);
  useEffect(() => {
    answerBack.current = onBack;
  });
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    // An entry of the same address, for Back to leave instead of this page. The router sees no change in it.
    const block = () => history.pushState(history.state, '');
    const stay = () => {
      block();
      answerBack.current?.();
    };
    block();
    window.addEventListener('beforeunload', warn);
    window.addEventListener('popstate', stay);
    return () => {
      window.removeEventListener('beforeunload', warn);
      window.removeEventListener('popstate', stay);
      history.back();
    };
  }, []);
}
