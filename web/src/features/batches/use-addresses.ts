import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError, type FailureCode, messageOf } from '#web/lib/api.ts';
import { fetchPhoto } from './fetch-photo.ts';

/** What became of a photo's address: it is being fetched, or why it could not be, in words. */
export type AddressState = 'fetching' | { fault: string };

/** Addresses that are fetched at a time. */
const atOnce = 3;
/** Pause before an address is tried again that could not be fetched for a reason that passes, in ms. */
const pauseMs = 3_000;
const passing: readonly FailureCode[] = ['RATE_LIMITED', 'UNAVAILABLE', 'NETWORK', 'REQUEST_TIMEOUT'];

/**
 * Fetches the photos that a table names by their addresses, a few at a time and each once. Addresses that no row names any
 * more are not fetched.
 * @param wanted the addresses whose photos are not there
 * @param onPhoto called with each photo that has arrived
 */
export function useAddresses(
  wanted: readonly string[],
  onPhoto: (address: string, file: File) => void,
): ReadonlyMap<string, AddressState> {
  const [states, setStates] = useState<ReadonlyMap<string, AddressState>>(new Map());
  const tried = useRef(new Set<string>());
  const running = useRef(0);
  const stop = useRef<AbortController>(null);
  const settle = useEffectEvent((address: string, result: File | string) => {
    if (typeof result === 'string') setStates((before) => new Map(before).set(address, { fault: result }));
    else onPhoto(address, result);
  });
  const next = useEffectEvent(() => wanted.find((address) => !tried.current.has(address)));
  useEffect(() => () => stop.current?.abort(), []);
  const key = wanted.join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins with those that are new
  useEffect(() => {
    stop.current ??= new AbortController();
    const { signal } = stop.current;
    const work = async () => {
      for (let address = next(); address !== undefined; address = next()) {
        tried.current.add(address);
        const result = await fetchUntilAnswered(address, signal);
        if (signal.aborted) return;
        settle(address, result);
      }
    };
    while (running.current < atOnce && next() !== undefined) {
      running.current += 1;
      void work().finally(() => {
        running.current -= 1;
      });
    }
  }, [key]);
  return new Map(wanted.map((address) => [address, states.get(address) ?? 'fetching']));
}

/** @returns the photo, or why it cannot be fetched @param signal aborted when the page is left */
async function fetchUntilAnswered(address: string, signal: AbortSignal): Promise<File | string> {
  for (;;) {
    try {
      return await fetchPhoto(address, signal);
    } catch (error) {
      if (signal.aborted) return '';
      if (!(error instanceof ApiError) || !passing.includes(error.code)) return messageOf(error);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
