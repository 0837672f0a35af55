/*
 * The limits on calls to the image provider that hold for all workers (docs/decisions/0066-flow-control.md). Pure: what is
 * stored, and how it is changed by one statement at a time, is in shared/data/queue/provider-flow.ts.
 */

/** Limits on calls; 0 for none. */
export interface CallLimits {
  perMinute: number;
  inFlight: number;
}

/** What is known of the calls of all workers. */
export interface CallState {
  /** When calls began that still count, or counted when a call was made whose answer may still come. */
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

/** For how long after its call an announcement may be written down, in ms: a busy worker reads answers late. */
const lateAnnouncementMs = 30_000;

/** The calls that count at a time. */
export function countedCalls(begun: readonly Date[], now: Date, window: LimitWindow): Date[] {
  const oldest = now.getTime() - window.ms - window.marginMs;
  return begun.filter((at) => at.getTime() > oldest);
}

/** The state without what is no longer needed: old calls, and slots whose worker died. */
export function withoutExpired(state: CallState, now: Date, window: LimitWindow): CallState {
  return {
    begun: countedCalls(state.begun, new Date(now.getTime() - lateAnnouncementMs), window),
    running: state.running.filter(({ until }) => until > now),
    announced: state.announced && state.announced.until > now ? state.announced : null,
  };
}

/**
 * How long until another call may begin, in ms; 0 for at once, Infinity for when a call ends.
 * @param state without what no longer counts
 */
export function waitMs(state: CallState, limits: CallLimits, now: Date, window: LimitWindow): number {
  const { begun, running, announced } = state;
  if (limits.inFlight > 0 && running.length >= limits.inFlight) return Number.POSITIVE_INFINITY;
  const announcedMs = announced && announced.left <= 0 ? announced.until.getTime() - now.getTime() : 0;
  return Math.max(announcedMs, minuteWaitMs(begun, limits, now, window));
}

/** How long until the calls of the last minute leave room for one more, in ms. */
function minuteWaitMs(
  begun: readonly Date[],
  { perMinute }: CallLimits,
  now: Date,
  window: LimitWindow,
): number {
  if (perMinute === 0 || begun.length < perMinute) return 0;
  const times = begun.map((at) => at.getTime()).toSorted((one, other) => one - other);
  // As soon as this one no longer counts, there is room for one more.
  const last = times[begun.length - perMinute]!;
  return Math.max(0, last + window.ms + window.marginMs - now.getTime());
}

/** Takes a slot for a call that may begin at once. */
export function take(state: CallState, slot: { _id: string; until: Date }, now: Date): CallState {
  const { begun, running, announced } = state;
  return {
    begun: [...begun, now],
    running: [...running, slot],
    announced: announced && { ...announced, left: announced.left - 1 },
  };
}

/**
 * Gives a slot back.
 * @param unused when it was taken, if no call was made: it does not count then
 */
export function giveBack(state: CallState, id: string, unused?: Date): CallState {
  return {
    ...state,
    begun: unused ? without(state.begun, unused) : state.begun,
    running: state.running.filter(({ _id }) => _id !== id),
  };
}

/**
 * How long until a call that took its slot at `from` may begin, in ms. It has to wait only if it took the slot so long ago
 * that it no longer counts, and others have used its room.
 */
export function waitToBegin(
  state: CallState,
  from: Date,
  limits: CallLimits,
  now: Date,
  window: LimitWindow,
): number {
  return minuteWaitMs(without(state.begun, from), limits, now, window);
}

/** Counts a call from the time at which it really begins. */
export function countFrom(state: CallState, from: Date, to: Date): CallState {
  return { ...state, begun: [...without(state.begun, from), to] };
}

/** Without one call that began then. */
function without(begun: readonly Date[], at: Date): Date[] {
  const index = begun.findIndex((each) => each.getTime() === at.getTime());
  return begun.filter((_, each) => each !== index);
}

/** What an answer of the provider says about further calls (its `x-ratelimit` headers). */
export interface Announcement {
  /** Calls that it accepts in one window; null if it does not say. */
  limit: number | null;
  /** Calls that it accepts now. */
  remaining: number;
  /** Time until it accepts all again, in ms. */
  resetMs: number;
}

/**
 * Records what an answer of the provider says.
 * @param call when the call of the answer was counted, and how many calls of this worker the provider may not have counted yet
 */
export function applyRateHeaders(
  state: CallState,
  { limit, remaining, resetMs }: Announcement,
  { countedAt, unanswered }: { countedAt: Date; unanswered: number },
  limits: CallLimits,
  now: Date,
  window: LimitWindow,
): CallState {
  // What our own calls explain is limited by our own count, which is more precise. The provider counted when it got the call.
  const own = countedCalls(state.begun, countedAt, window).length;
  const explained = limits.perMinute > 0 && limit !== null && own >= limit - remaining;
  const announced = explained
    ? null
    : { left: remaining - unanswered, until: new Date(now.getTime() + resetMs) };
  return { ...state, announced };
}
