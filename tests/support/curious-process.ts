/** A process of jobs that tries what a program that was taken over would try, and says what it could do. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { serveJobs } from '#shared/platform/serve-jobs.ts';

/** What it is asked for and what it found. */
export interface CuriousJobs {
  tryAll: {
    given: { readable: string; secret: string; writable: string };
    outcome: { environment: string[]; done: string[] };
  };
}

serveJobs<CuriousJobs>(async ({ given: { readable, secret, writable } }) => {
  const attempts: Record<string, () => unknown> = {
    'read what it may': () => readFileSync(readable),
    'read another file': () => readFileSync(secret),
    "read its parent's environment": () => readFileSync(`/proc/${process.ppid}/environ`),
    'write a file': () => writeFileSync(writable, ''),
    'start a process': () => execFileSync('/bin/true'),
    'start a thread': () => void new Worker('0', { eval: true }).terminate(),
  };
  const done = Object.entries(attempts).flatMap(([what, attempt]) => {
    try {
      attempt();
      return [what];
    } catch {
      return [];
    }
  });
  // biome-ignore lint/style/noProcessEnv: what this process was started with, without the variables of a file
  return { environment: Object.keys(process.env), done };
});
