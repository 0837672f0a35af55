import { randomInt } from 'node:crypto';
import { freePort } from '#scripts/start/port.ts';

/**
 * The ports that tests use: below those that the system gives to outgoing connections (from 32,768 on Linux), one of which
 * could be taken in the meantime. Each of the test runner's workers has a part of its own, so that two of them never find
 * the same port before one of them listens on it.
 */
const [firstPort, portsPerWorker, parts] = [20_000, 1_500, 8];

// biome-ignore lint/style/noProcessEnv: the test runner numbers its workers here; it is no setting.
const part = Number(process.env.VITEST_POOL_ID ?? 0) % parts;
let next = randomInt(portsPerWorker);

/** Finds a port of 127.0.0.1 that stays free until a server listens on it. It is not found again by this test file. */
export async function findFreePort(attempts = 20): Promise<number> {
  const wanted = firstPort + part * portsPerWorker + (next % portsPerWorker);
  next += 1;
  try {
    return await freePort('127.0.0.1', wanted);
  } catch (error) {
    if (attempts <= 1) throw error;
    return findFreePort(attempts - 1);
  }
}
