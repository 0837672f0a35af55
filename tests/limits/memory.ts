import { residentBytes } from '#tests/support/process-usage.ts';

/** Samples the resident memory of a process and its descendants (Linux only). */
export interface MemoryWatch {
  /** Stops sampling. @returns the highest total, in bytes */
  stop(): number;
}

const intervalMs = 25;

export function watchMemory(pid: number): MemoryWatch {
  let peak = 0;
  const sample = () => {
    peak = Math.max(peak, residentBytes(pid));
  };
  sample();
  const timer = setInterval(sample, intervalMs);
  return {
    stop() {
      clearInterval(timer);
      sample();
      return peak;
    },
  };
}
