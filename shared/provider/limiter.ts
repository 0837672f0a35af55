/*
 * The limits on calls to the image provider that hold for all workers (docs/decisions/0066-flow-control.md). Pure: what is
 * stored, and how it is changed by one statement at a time, is in shared/data/provider-flow.ts.
 */

/** What is known of the calls of all workers. */
export interface CallState {
  /** When calls began that still count. */
  begun: readonly Date[];
  /** Slots of calls under way, and until when they are taken unless their worker renews them. */
  running: readonly { _id: string; until: Date }[];
  /** Calls that the provider still accepts by its last answer, and when it accepts all again. */
  announced: { left: number; until: Date } | null;
}

/** How calls are counted. */
export interface LimitWindow {
  /** For how long a call counts at the provider, in ms. */
  ms: number;
  /** For how much longer it counts here, in ms: a call arrives some time after it was counted. */
  marginMs: number;
}

/** The provider counts the calls of any 60 s. With a margin of 1.5 s, 97.5 % of the limit can be used. */
export const minuteWindow: LimitWindow = { ms: 60_000, marginMs: 1_500 };

/** The state without what no longer counts: old calls, and slots whose worker died. */
export function current(state: CallState, now: Date, window: LimitWindow): CallState {
  const oldest = now.getTime() - window.ms - window.marginMs;
  return {
    begun: state.begun.filter((at) => at.getTime() > oldest),
    running: state.running.filter(({ until }) => until > now),
    announced: state.announced && state.announced.until > now ? state.announced : null,
  };
}
