import { configOrExit, runProcess } from '#shared/platform/process.ts';
import { startWorker } from './worker.ts';

const config = configOrExit('worker');
// Jobs get the grace period; handing the rest back and closing connections get 8 s. docker-compose.yml allows 2 s more.
await runProcess('worker', config.worker.graceMs + 8_000, async () => {
  const worker = await startWorker(config);
  return { log: worker.context.log, close: worker.close };
});
