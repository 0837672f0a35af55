/**
 * The thread that ends a process which compares images: when its worker is gone, or when a comparison takes too much processor
 * time. It runs beside the main thread, which may be in native code that never returns.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { killThisProcess } from '#shared/platform/serve-jobs.ts';

/** Interval of measuring, in ms. */
const measureMs = 500;

const worker = workerData as number;
let job: { processorSeconds: number; before: NodeJS.CpuUsage } | null = null;

parentPort!.on('message', (processorSeconds: number | null) => {
  job = processorSeconds === null ? null : { processorSeconds, before: process.cpuUsage() };
});

setInterval(() => {
  // The system gives the children of a process that has ended another parent.
  if (process.ppid !== worker) killThisProcess();
  if (job === null) return;
  const { user, system } = process.cpuUsage(job.before);
  if ((user + system) / 1e6 > job.processorSeconds) killThisProcess();
}, measureMs);
