/**
 * Ends calls that take too long. The SDK's own timeout ends when the headers have come, and Node's client has limits of its
 * own, which replies.ts turns off: only this watchdog decides.
 */

/** Until its first event a call may take this part of the whole time: an image may need minutes before it shows anything. */
export const partUntilFirstEvent = 0.9;

export type StopReason = 'aborted' | 'timeout' | 'stalled';

interface Watchdog {
  /** Aborted when the call has to end. */
  signal: AbortSignal;
  /** Something was received: headers, or bytes of any kind. */
  heard(): void;
  /** The first event was received: from now on, the limit of a stall counts. */
  began(): void;
  /** Why the call had to end; undefined while it has not. */
  reason(): StopReason | undefined;
  /** Ends the watch. */
  stop(): void;
}

/**
 * Watches one call.
 * @param signal aborted to stop the call
 * @param timeoutMs longest call, in ms
 * @param stallMs longest time without a byte after the first event, in ms
 */
export function startWatchdog(
  signal: AbortSignal,
  { timeoutMs, stallMs }: { timeoutMs: number; stallMs: number },
): Watchdog {
  const controller = new AbortController();
  let reason: StopReason | undefined;
  const abort = (why: StopReason) => () => {
    reason ??= why;
    controller.abort();
  };
  const aborted = abort('aborted');
  if (signal.aborted) aborted();
  signal.addEventListener('abort', aborted, { once: true });
  const total = setTimeout(abort('timeout'), timeoutMs);
  const silence = setTimeout(abort('stalled'), timeoutMs * partUntilFirstEvent);
  let stall: NodeJS.Timeout | undefined;
  return {
    signal: controller.signal,
    heard: () => void (stall ?? silence).refresh(),
    began() {
      clearTimeout(silence);
      stall ??= setTimeout(abort('stalled'), stallMs);
    },
    reason: () => reason,
    stop() {
      signal.removeEventListener('abort', aborted);
      for (const timer of [total, silence, stall]) clearTimeout(timer);
    },
  };
}
