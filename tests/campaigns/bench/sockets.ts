/** Memory and processor time of one server that has many sockets open. */

import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import { freePort } from '#scripts/start/port.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { openAccount } from '#tests/campaigns/support/accounts.ts';
import { onStack } from '#tests/campaigns/support/stack.ts';
import { openSocket } from '#tests/support/connected-seller.ts';
import { cpuMs } from '#tests/support/process-usage.ts';
import { inspectProcess } from './inspect-memory.ts';

/** The sockets are opened in this many steps, to show that each takes the same. */
const steps = 4;
/** How long the processor time of idle sockets is measured, in ms. Each socket is pinged every 25 s. */
const quietMs = 50_000;

/** @param count sockets, each of a seller of its own */
export async function benchSockets(count: number): Promise<void> {
  const port = await freePort('127.0.0.1', 0);
  const options = { NODE_OPTIONS: `--inspect-port=127.0.0.1:${port}` };
  await onStack({ settings: options as GivenSettings }, async (stack) => {
    const { pid } = stack.process('server');
    const server = await inspectProcess(pid, port);
    const connect = async () => {
      const { token } = await openAccount(stack, 'freelance');
      const socket = await openSocket(stack.url, token);
      stack.onClose(() => socket.disconnect());
    };
    // Loads what the first sockets load.
    const first = 20;
    await pLimit(4).map(Array(first).keys(), connect);
    const idle = await server.memory();
    console.log(`one server, ${megabytes(idle.resident)} resident with ${first} sockets`);
    for (let step = 1; step <= steps; step += 1) {
      const began = performance.now();
      await pLimit(16).map(Array(Math.round(count / steps)).keys(), connect);
      const perSecond = (count / steps / (performance.now() - began)) * 1_000;
      const { used, resident } = await server.memory();
      const added = step * Math.round(count / steps);
      console.log(
        `    ${added} sockets more: ${((used - idle.used) / 1024 / added).toFixed(1)} kB each in use, ${megabytes(resident)} resident; opened ${perSecond.toFixed(0)} a second`,
      );
    }
    const cpuBefore = cpuMs(pid);
    await wait(quietMs);
    const cpu = (cpuMs(pid) - cpuBefore) / quietMs;
    console.log(`    ${(cpu * 100).toFixed(1)} % of a processor while nothing happens`);
    server.close();
  });
}

const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MB`;
