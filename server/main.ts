import { configOrExit, runProcess } from '#shared/platform/process.ts';
import { requestEndMs } from './plugins/open-requests.ts';
import { startServer } from './server.ts';

const config = configOrExit('server');
// Requests first, then the connections to the stores. docker-compose.yml allows one second more.
await runProcess('server', requestEndMs + 4_000, async () => {
  const server = await startServer(config);
  return { url: server.url, log: server.context.log, close: server.close };
});
