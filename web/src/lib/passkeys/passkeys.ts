import { useSyncExternalStore } from 'react';
import { networkError } from '../api.ts';
import { loadPart } from '../full-load.ts';

/** Passkeys need https or localhost, and a name instead of an IP address. */
function areOffered(): boolean {
  return (
    typeof globalThis.PublicKeyCredential === 'function' &&
    globalThis.isSecureContext &&
    !/^[\d.]+$|^\[/.test(location.hostname)
  );
}

const neverChanges = () => () => {};

/** Whether this browser can have passkeys for this site. Prerendered pages say no until they are shown. */
export function usePasskeysOffered(): boolean {
  return useSyncExternalStore(neverChanges, areOffered, () => false);
}

/** Loads what uses passkeys, when one is wanted. @throws ApiError NETWORK */
export function loadPasskeys(): Promise<typeof import('./ceremonies.ts')> {
  return loadPart(() => import('./ceremonies.ts')).catch(() => {
    throw networkError();
  });
}
