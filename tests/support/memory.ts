import { readdir, readFile } from 'node:fs/promises';

/** Processes that a process has started and that run, theirs included. Linux alone says so. */
export async function childrenOf(pid: number): Promise<number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
      // The program's name stands in parentheses and may hold spaces; the parent is the second field behind it.
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid ? [Number(name)] : [];
    }),
  );
  const children = found.flat();
  return [...children, ...(await Promise.all(children.map(childrenOf))).flat()];
}

/** Memory of a process and all that it has started, in bytes: now, and at most the sum of what each ever took. */
export async function memoryOfTree(pid: number): Promise<{ now: number; peak: number }> {
  const all = await Promise.all([pid, ...(await childrenOf(pid))].map(memoryOf));
  const sum = (name: 'now' | 'peak') => all.reduce((bytes, each) => bytes + each[name], 0);
  return { now: sum('now'), peak: sum('peak') };
}

/** Memory of a process in bytes, as it is now and the most that it ever was. Linux alone says so. */
export async function memoryOf(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
}
