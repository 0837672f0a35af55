import { loadConfig } from '#shared/platform/config.ts';
import { runProcess } from '#shared/platform/process.ts';
import { startWorker } from './worker.ts';

await runProcess('worker', async () => {
  const worker = await startWorker(loadConfig());
  return { close: () => worker.close() };
});
