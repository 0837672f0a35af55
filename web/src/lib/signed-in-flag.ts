import { useSyncExternalStore } from 'react';
import { signedInCookie } from '#contract/signed-in-cookie.ts';

/** Whether this browser has a session, as far as its cookies tell: the account of new visitors is not requested. */
export function mayBeSignedIn(): boolean {
  return document.cookie.split('; ').some((cookie) => cookie.startsWith(`${signedInCookie}=`));
}

const checkedAgainAfter = ['focus', 'pageshow', 'visibilitychange'] as const;

/** {@link mayBeSignedIn}, kept up to date: another window may sign in, for example through a link in a mail. */
export function useMayBeSignedIn(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      for (const event of checkedAgainAfter) window.addEventListener(event, onChange);
      return () => {
        for (const event of checkedAgainAfter) window.removeEventListener(event, onChange);
      };
    },
    mayBeSignedIn,
    () => false,
  );
}

/** Call when the server has said that nobody is signed in. */
export function forgetSignedIn(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari before 18.4
  document.cookie = `${signedInCookie}=; path=/; max-age=0`;
}
