import { readdirSync, readFileSync } from 'node:fs';

/** @returns the value below which a share (0 to 1) of the values lies; of an empty list NaN */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Milliseconds with one digit behind the point. */
export const ms = (value: number) => `${value.toFixed(1)} ms`;

/** CPU time that a process and those it has started have used so far, in ms; undefined where the system does not tell. */
export function cpuMs(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name stands in parentheses and may hold spaces; user and system time are the 12th and 13th after it,
    // then those of children that have ended.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // In ticks of 1/100 s, which Linux gives user space on every architecture.
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
    return childrenOf(pid).reduce((sum, child) => sum + (cpuMs(child) ?? 0), own);
  } catch {
    return undefined;
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => parentOf(child) === pid);
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // It has ended since.
    return undefined;
  }
}

/** Runs tasks 0 to `count - 1`, so many at a time. */
export async function inParallel(
  count: number,
  atOnce: number,
  task: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) {
      next += 1;
      await task(next - 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
