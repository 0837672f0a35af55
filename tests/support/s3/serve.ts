/** `node tests/support/s3/serve.ts PORT FOLDER`: runs the S3 server of `server-tool.ts` as a process of a chaos stack. */
import { shutdownRequested } from '#local/shutdown-request.ts';
import { startS3Tool } from './server-tool.ts';

const [port, folder] = process.argv.slice(2) as [string, string];
const shutdown = shutdownRequested();
const server = await startS3Tool(Number(port), folder);
process.send?.({ ready: true, url: `http://127.0.0.1:${port}` });
const lastOutput = await Promise.race([shutdown, server.ended]);
if (lastOutput !== undefined) process.exit(1);
await server.close();
process.exit(0);
