/** Memory and processor time of one server that has many sockets open. */

import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Socket } from 'socket.io-client';
import { freePort } from '#scripts/start/port.ts';
import { createAccount } from '#shared/data/accounts/create.ts';
import { startSession } from '#shared/data/accounts/sessions.ts';
import { connectDb } from '#shared/data/connect.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { dropDatabase } from '#tests/campaigns/support/rows.ts';
import { startCampaignStack } from '#tests/campaigns/support/stack.ts';
import { openSocket } from '#tests/support/connected-seller.ts';
import { cpuMs } from '#tests/support/process-usage.ts';
import { tokenOf } from '#tests/support/session-token.ts';
import { inspectProcess } from './inspect-memory.ts';

/** The sockets are opened in this many steps, to show that each takes the same. */
const steps = 4;
/** How long the processor time of idle sockets is measured, in ms. Each socket is pinged every 25 s. */
const quietMs = 50_000;

/** @param count sockets, each of a seller of its own */
export async function benchSockets(count: number): Promise<void> {
  const port = await freePort('127.0.0.1', 0);
  const options = { NODE_OPTIONS: `--inspect-port=127.0.0.1:${port}` };
  const stack = await startCampaignStack({ settings: options as GivenSettings });
  const db = await connectDb(stack.config.mongodbUrl);
  const sockets: Socket[] = [];
  try {
    const { pid } = stack.processes.find(({ name }) => name === 'server')!;
    const server = await inspectProcess(pid, port);
    const connect = async () => {
      const email = `bench-${randomUUID()}@packshot.example`;
      const account = { email, fullName: 'Bench Seller', passwordHash: 'none', plan: 'freelance' } as const;
      const made = await createAccount(db, { ...account, verified: true });
      const from = { device: 'bench', address: '127.0.0.1', idle_minutes: 60 };
      const session = await startSession(db, made!.user._id, { ...from, factors: ['password'] });
      sockets.push(await openSocket(stack.url, tokenOf(session, stack.config.sessionSecret)));
    };
    // Loads what the first sockets load.
    await pLimit(4).map(Array(20).keys(), connect);
    const first = sockets.length;
    const idle = await server.memory();
    console.log(`one server, ${megabytes(idle.resident)} resident with ${first} sockets`);
    for (let step = 1; step <= steps; step += 1) {
      const began = performance.now();
      await pLimit(16).map(Array(Math.round(count / steps)).keys(), connect);
      const perSecond = (count / steps / (performance.now() - began)) * 1_000;
      const { used, resident } = await server.memory();
      const added = sockets.length - first;
      console.log(
        `    ${added} sockets more: ${((used - idle.used) / 1024 / added).toFixed(1)} kB each in use, ${megabytes(resident)} resident; opened ${perSecond.toFixed(0)} a second`,
      );
    }
    const cpuBefore = cpuMs(pid)!;
    await wait(quietMs);
    const cpu = (cpuMs(pid)! - cpuBefore) / quietMs;
    console.log(`    ${(cpu * 100).toFixed(1)} % of a processor while nothing happens`);
    server.close();
    await dropDatabase(db);
  } finally {
    for (const socket of sockets) socket.disconnect();
    await db.close();
    await stack.close();
  }
}

const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MB`;
