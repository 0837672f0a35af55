import { useLayoutEffect } from 'react';
import { useLocation } from 'react-router-dom';

/**
 * Opens the `details` that the address names after `#`, which closes others of the same `name`. It runs before the effect
 * of `SitePage` that scrolls to it, because that moves it.
 */
export function useOpenLinked(): void {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a second click on the same link opens it again
  useLayoutEffect(() => {
    const linked = document.getElementById(hash.slice(1));
    if (linked instanceof HTMLDetailsElement) linked.open = true;
  }, [hash, key]);
}
