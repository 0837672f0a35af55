import { loadConfig } from '#shared/platform/config.ts';
import { runProcess } from '#shared/platform/process.ts';
import { startServer } from './server.ts';

await runProcess('server', async () => {
  const server = await startServer(loadConfig());
  return { url: server.url, close: () => server.close() };
});
