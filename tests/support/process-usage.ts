/** CPU time and memory of a process and its descendants, read from /proc (Linux only). */
import { readFileSync } from 'node:fs';
import { childrenOf } from './memory.ts';
import { median } from './statistics.ts';

/** Linux reports CPU time in ticks of 1/100 s on every architecture. */
const msPerTick = 10;

/** CPU time that a process and its descendants have used so far, in ms; NaN when it cannot be read. */
export function cpuMs(pid: number): number {
  return childrenOf(pid).reduce((sum, each) => sum + ownCpuMs(each), cpuMsWithoutChildren(pid));
}

/** CPU time of a process without its running descendants, in ms; NaN when it cannot be read. */
export function cpuMsWithoutChildren(pid: number): number {
  return statFields(pid) ? ownCpuMs(pid) : Number.NaN;
}

/**
 * CPU time that a process and its descendants use while a request is answered, in ms: the median of several, which
 * leaves out a collection of garbage and another process that starts. @returns it, and what was answered
 */
export async function medianCpuMs<Answer>(
  pid: number,
  requests: number,
  send: () => Promise<Answer>,
): Promise<{ usedMs: number; answers: Answer[] }> {
  const times: number[] = [];
  const answers: Answer[] = [];
  for (let sent = 0; sent < requests; sent += 1) {
    const before = cpuMs(pid);
    answers.push(await send());
    times.push(cpuMs(pid) - before);
  }
  return { usedMs: median(times), answers };
}

/** Resident memory of a process and its descendants, in bytes; shared pages count once for each process. */
export function residentBytes(pid: number): number {
  return processTree(pid).reduce((sum, each) => {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readIfPresent(`/proc/${each}/status`))?.[1];
    return sum + Number(kilobytes ?? 0) * 1024;
  }, 0);
}

/** Memory of a process and its descendants, in bytes; a page that several processes have counts in each with its part. */
export function proportionalBytes(pid: number): number {
  return processTree(pid).reduce((sum, each) => {
    const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readIfPresent(`/proc/${each}/smaps_rollup`))?.[1];
    return sum + Number(kilobytes ?? 0) * 1024;
  }, 0);
}

/** User and system time of a process and of its children that have ended. */
function ownCpuMs(pid: number): number {
  const ticks = statFields(pid)?.slice(11, 15) ?? [];
  return ticks.reduce((sum, value) => sum + Number(value) * msPerTick, 0);
}

/** The process itself and its running descendants. */
const processTree = (pid: number) => [pid, ...childrenOf(pid)];

/** Fields of /proc/<pid>/stat after the program's name, which is in parentheses and may contain spaces. */
function statFields(pid: number): string[] | undefined {
  const stat = readIfPresent(`/proc/${pid}/stat`);
  return stat === '' ? undefined : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** @returns the file's text; '' when the process has ended or there is no /proc */
function readIfPresent(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
