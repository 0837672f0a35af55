import { useSyncExternalStore } from 'react';
import { facts } from '#web/content/facts.ts';

const usual = Number(facts.freeImages);
const subscribe = () => () => {};

/** Images that a new account of this installation gets for free: the server writes it into the document. */
export function useFreeImages(): number {
  return useSyncExternalStore(
    subscribe,
    () => Number(document.documentElement.dataset.freeImages ?? usual),
    () => usual,
  );
}
