import { readdirSync, readFileSync } from 'node:fs';

/** Watches what a process and all that it has started take of memory. Linux alone says so. */
export interface MemoryWatch {
  /** @returns the most that they took together, in bytes */
  stop(): number;
}

/** How often it looks, in ms. */
const everyMs = 25;

export function watchMemory(pid: number): MemoryWatch {
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, residentBytes(pid));
  };
  look();
  const timer = setInterval(look, everyMs);
  return {
    stop() {
      clearInterval(timer);
      look();
      return peak;
    },
  };
}

/** Resident memory of a process and those it has started, in bytes; what they share counts for each of them. */
function residentBytes(pid: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = textOf(`/proc/${name}/stat`);
    // The program's name stands in parentheses and may hold spaces; the parent is the second field behind it.
    if (stat) parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const isOfIt = (each: number | undefined): boolean =>
    each !== undefined && (each === pid || isOfIt(parents.get(each)));
  return [...parents.keys()].filter(isOfIt).reduce((sum, each) => sum + residentBytesOf(each), 0);
}

function residentBytesOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(textOf(`/proc/${pid}/status`))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

/** Empty for a process that has ended since. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
