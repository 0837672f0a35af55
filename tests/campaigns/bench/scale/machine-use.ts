/** The processor time of the whole machine, so that a reader can judge whether it limited a measurement. */
import { cpus } from 'node:os';

interface Times {
  /** Time that processors were busy so far, in ms, all of them together. */
  busy: number;
  /** The same and the time without work. */
  all: number;
}

/** Begins to measure. @returns what share of the machine's processors, 0 to 1, was busy since then, whatever the programs */
export function measureMachine(): () => number {
  const before = timesNow();
  return () => {
    const now = timesNow();
    return (now.busy - before.busy) / (now.all - before.all);
  };
}

function timesNow(): Times {
  const times = { busy: 0, all: 0 };
  for (const { times: each } of cpus()) {
    const all = Object.values(each).reduce((sum, value) => sum + value, 0);
    times.all += all;
    times.busy += all - each.idle;
  }
  return times;
}
