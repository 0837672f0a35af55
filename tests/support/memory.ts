import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** Ids of all running descendants of a process. Linux only. */
export function childrenOf(pid: number): number[] {
  // Read synchronously: a few microseconds for each process, where the thread pool would take ten times as much.
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)] as const);
  const below = (id: number): number[] =>
    parents.flatMap(([child, parent]) => (parent === id ? [child, ...below(child)] : []));
  return below(pid);
}

/** Undefined if the process has ended. */
function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program name is in parentheses and may contain spaces; the parent's id is the second field after it.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** Resident memory of a process and its descendants in bytes: current sum, sum of their peaks. Linux only. */
export async function memoryOfTree(pid: number): Promise<{ now: number; peak: number }> {
  const all = await Promise.all([pid, ...childrenOf(pid)].map(memoryOf));
  const sum = (name: 'now' | 'peak') => all.reduce((bytes, each) => bytes + each[name], 0);
  return { now: sum('now'), peak: sum('peak') };
}

/** Resident memory of a process in bytes: current and peak. Linux only. */
export async function memoryOf(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
}

/** The state of a process in Linux's letters, `Z` for a zombie; `gone` if there is none. */
export async function stateOf(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return /^State:\s+(\w)/m.exec(status)?.[1] ?? 'gone';
}
