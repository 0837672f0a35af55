import { readdir, readFile } from 'node:fs/promises';

/** Ids of all running descendants of a process. Linux only. */
export async function childrenOf(pid: number): Promise<number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
      // The program name is in parentheses and may contain spaces; the parent's id is the second field after it.
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid ? [Number(name)] : [];
    }),
  );
  const children = found.flat();
  return [...children, ...(await Promise.all(children.map(childrenOf))).flat()];
}

/** Resident memory of a process and its descendants in bytes: current sum, sum of their peaks. Linux only. */
export async function memoryOfTree(pid: number): Promise<{ now: number; peak: number }> {
  const all = await Promise.all([pid, ...(await childrenOf(pid))].map(memoryOf));
  const sum = (name: 'now' | 'peak') => all.reduce((bytes, each) => bytes + each[name], 0);
  return { now: sum('now'), peak: sum('peak') };
}

/** Resident memory of a process in bytes: current and peak. Linux only. */
export async function memoryOf(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
}
