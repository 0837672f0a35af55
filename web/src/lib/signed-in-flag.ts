import { useSyncExternalStore } from 'react';

const storageKey = 'packshot-signed-in';

/** Whether this browser was signed in when last used: the account of new visitors is not requested. */
export function mayBeSignedIn(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null;
  } catch {
    return true;
  }
}

/** {@link mayBeSignedIn}, kept up to date: another window may sign in, for example through a link in a mail. */
export function useMayBeSignedIn(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      window.addEventListener('storage', onChange);
      return () => window.removeEventListener('storage', onChange);
    },
    mayBeSignedIn,
    () => false,
  );
}

/** Remembers whether this browser is signed in. */
export function saveSignedIn(signedIn: boolean): void {
  try {
    if (signedIn) localStorage.setItem(storageKey, 'yes');
    else localStorage.removeItem(storageKey);
  } catch {
    // Storage may be blocked; then the account is requested on every visit.
  }
}
