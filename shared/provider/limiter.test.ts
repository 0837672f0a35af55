import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { createRandom } from '#tests/support/random.ts';
import {
  applyRateHeaders,
  type CallLimits,
  type CallState,
  countedCalls,
  countFrom,
  giveBack,
  minuteWindow,
  take,
  waitMs,
  waitToBegin,
  withoutExpired,
} from './limiter.ts';

const seed = randomInt(2 ** 31);
console.log(`limiter.test.ts: seed ${seed}`);
const { below: pick } = createRandom(seed);

const nothing: CallState = { begun: [], running: [], announced: null };
const at = (ms: number) => new Date(1_000_000_000 + ms);
const leaseMs = 20_000;
const slot = (id: string, now: Date) => ({ _id: id, until: new Date(now.getTime() + leaseMs) });

interface Call {
  id: string;
  worker: number;
  taken: Date;
  begun: Date | null;
}

it('no interleaving of workers, late calls, unused slots and deaths exceeds a limit', () => {
  for (let run = 0; run < 60; run += 1) {
    const limits: CallLimits = {
      perMinute: pick(3) === 0 ? 0 : 1 + pick(12),
      inFlight: pick(3) === 0 ? 0 : 1 + pick(6),
    };
    let state = nothing;
    let now = 0;
    let calls: Call[] = [];
    let made = 0;
    // When each call was counted by the provider: some time after it began, less than the margin.
    const arrivals: number[] = [];
    const renewed = [0, 0, 0, 0];
    for (let step = 0; step < 400; step += 1) {
      now += pick(4) === 0 ? pick(9_000) : pick(400);
      state = withoutExpired(state, at(now), minuteWindow);
      // Each worker that lives renews its slots in time.
      for (const worker of renewed.keys()) {
        if (now - renewed[worker]! < leaseMs / 4) continue;
        renewed[worker] = now;
        const own = new Set(calls.filter((call) => call.worker === worker).map(({ id }) => id));
        state = {
          ...state,
          running: state.running.map((each) => (own.has(each._id) ? slot(each._id, at(now)) : each)),
        };
      }
      const call = calls[pick(calls.length)];
      switch (pick(5)) {
        case 0:
        case 1: {
          if (waitMs(state, limits, at(now), minuteWindow) > 0) break;
          const id = `${run}-${step}`;
          state = take(state, slot(id, at(now)), at(now));
          calls.push({ id, worker: pick(renewed.length), taken: at(now), begun: null });
          break;
        }
        case 2:
          if (!call || call.begun) break;
          if (now - (call.taken.getTime() - at(0).getTime()) > 250) {
            if (waitToBegin(state, call.taken, limits, at(now), minuteWindow) > 0) break;
            state = countFrom(state, call.taken, at(now));
            call.taken = at(now);
          }
          call.begun = at(now);
          arrivals.push(now + pick(minuteWindow.marginMs - 250));
          made += 1;
          break;
        case 3:
          if (!call) break;
          state = giveBack(state, call.id, call.begun ? undefined : call.taken);
          calls = calls.filter(({ id }) => id !== call.id);
          break;
        default: {
          // A worker dies: its calls end, and nobody gives their slots back.
          if (pick(20) > 0) break;
          const dead = pick(renewed.length);
          calls = calls.filter(({ worker }) => worker !== dead);
        }
      }
      if (limits.inFlight > 0) expect(calls.length, `seed ${seed}`).toBeLessThanOrEqual(limits.inFlight);
    }
    expect(made).toBeGreaterThan(0);
    if (limits.perMinute === 0) continue;
    for (const end of arrivals) {
      const inMinute = arrivals.filter((each) => each > end - 60_000 && each <= end);
      expect(inMinute.length, `seed ${seed}`).toBeLessThanOrEqual(limits.perMinute);
    }
  }
});

it('says when the next call may begin, also if the limit was lowered meanwhile', () => {
  const state: CallState = { ...nothing, begun: [at(0), at(1_000), at(3_000)] };
  const wait = (perMinute: number) => waitMs(state, { perMinute, inFlight: 0 }, at(5_000), minuteWindow);
  expect(wait(4)).toBe(0);
  expect(wait(3)).toBe(56_500);
  expect(wait(2)).toBe(57_500);
  expect(wait(1)).toBe(59_500);
  expect(countedCalls(state.begun, at(62_500), minuteWindow)).toEqual([at(3_000)]);
  expect(withoutExpired(state, at(92_500), minuteWindow).begun).toEqual([at(3_000)]);
});

it('gives the slot of a worker that died back when its lease ends', () => {
  const limits = { perMinute: 0, inFlight: 1 };
  const taken = take(nothing, slot('dead', at(0)), at(0));
  const wait = (now: number) =>
    waitMs(withoutExpired(taken, at(now), minuteWindow), limits, at(now), minuteWindow);
  expect(wait(leaseMs - 1)).toBe(Number.POSITIVE_INFINITY);
  expect(wait(leaseMs)).toBe(0);
});

it('waits when the provider says that it accepts no more, unless the own count explains it', () => {
  const says = { limit: 10, remaining: 3, resetMs: 8_000 };
  const none = { perMinute: 0, inFlight: 0 };
  const wait = (state: CallState, now: number, limits = none) =>
    waitMs(withoutExpired(state, at(now), minuteWindow), limits, at(now), minuteWindow);
  // Two of the remaining three are under way.
  let state = applyRateHeaders(nothing, says, { countedAt: at(0), unanswered: 2 }, none, at(0), minuteWindow);
  expect(wait(state, 0)).toBe(0);
  state = take(state, slot('last', at(0)), at(0));
  expect(wait(state, 1_000)).toBe(7_000);
  expect(wait(state, 8_000)).toBe(0);

  const limits = { perMinute: 10, inFlight: 0 };
  const announced = (state: CallState, now: number) =>
    applyRateHeaders(state, says, { countedAt: at(10), unanswered: 3 }, limits, at(now), minuteWindow)
      .announced;
  const own: CallState = { ...nothing, begun: Array.from({ length: 7 }, (_, index) => at(index)) };
  expect(announced(own, 10)).toBeNull();
  // Six calls are not all of the seven that the provider counted: somebody else uses the account as well.
  const others = { ...own, begun: own.begun.slice(1) };
  expect(announced(others, 10)).toEqual({ left: 0, until: at(8_010) });
  // Calls that no longer count when a late answer is read, but did when the provider got its call.
  expect(announced(withoutExpired(own, at(70_000), minuteWindow), 70_000)).toBeNull();
  expect(announced(withoutExpired(others, at(70_000), minuteWindow), 70_000)).not.toBeNull();
});
