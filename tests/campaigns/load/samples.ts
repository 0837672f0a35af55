/** Memory and processor time of every process of a stack, over the time of a load test. */

import type { CampaignStack } from '#tests/campaigns/support/stack.ts';
import { cpuMs, residentBytes } from '#tests/support/process-usage.ts';

/** Resident memory in bytes, by the name of the process. */
type Memory = Map<string, number>;

export interface ProcessSamples {
  /** Resident memory now. */
  memory(): Memory;
  /** Processor time since the beginning, in ms, by the name of the process. */
  cpu(): Map<string, number>;
}

/** Begins to count processor time. */
export function sampleProcesses({ processes }: CampaignStack): ProcessSamples {
  const read = (what: (pid: number) => number) =>
    new Map(processes.map(({ name, pid }) => [name, what(pid)]));
  const before = read((pid) => cpuMs(pid));
  return {
    memory: () => read(residentBytes),
    cpu: () =>
      new Map([...read((pid) => cpuMs(pid))].map(([name, used]) => [name, used - before.get(name)!])),
  };
}
