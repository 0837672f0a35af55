/** `node tests/campaigns/support/redis.ts PORT FOLDER`: runs Debian's redis-server as a process of a chaos stack. */
import { mkdir } from 'node:fs/promises';
import { startWatchedProgram } from '#local/parent-watchdog.ts';
import { shutdownRequested } from '#local/shutdown-request.ts';
import { readEnvironment } from '#shared/platform/environment.ts';

const [port, folder] = process.argv.slice(2) as [string, string];
const shutdown = shutdownRequested();
await mkdir(folder, { recursive: true });
const options = {
  port,
  bind: '127.0.0.1',
  dir: folder,
  save: '',
  // As docker-compose.yml has it: after a crash up to a second of commands is lost.
  appendonly: 'yes',
  appendfsync: 'everysec',
  'maxmemory-policy': 'noeviction',
};
const redis = await startWatchedProgram({
  command: ['redis-server', ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])],
  env: readEnvironment(),
  isReady: (line) => /ready to accept connections/i.test(line),
  onLine: (line) => console.log(line),
});
process.send?.({ ready: true, url: `redis://127.0.0.1:${port}` });
const lastOutput = await Promise.race([shutdown, redis.ended]);
if (lastOutput !== undefined) process.exit(1);
await redis.close();
process.exit(0);
