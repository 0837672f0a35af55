/** `node tests/campaigns/rollout/nginx.ts PORT CERTIFICATES SERVER…`: nginx with the example that is shipped, as a process of a stack. */
import { shutdownRequested } from '#local/shutdown-request.ts';
import { startTlsNginx } from '#tests/support/nginx.ts';

const [port, certificates, ...servers] = process.argv.slice(2) as [string, string, ...string[]];
const shutdown = shutdownRequested();
const nginx = await startTlsNginx(servers, Number(port), certificates);
process.send?.({ ready: true, url: nginx.url });
await shutdown;
await nginx.close();
process.exit(0);
