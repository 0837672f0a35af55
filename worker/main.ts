import { loadConfig } from '../shared/config.ts';
import { runProcess } from '../shared/process.ts';
import { startWorker } from './worker.ts';

await runProcess('worker', async () => {
  const worker = await startWorker(loadConfig());
  return { close: () => worker.close() };
});
