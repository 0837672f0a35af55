import { randomInt } from 'node:crypto';
import { freePort } from '#scripts/start/port.ts';

/**
 * Finds a port of 127.0.0.1 that stays free until a server listens on it. It is below the ports that the system gives to
 * outgoing connections (from 32,768 on Linux): one of those could be taken by another test in the meantime.
 */
export async function findFreePort(attempts = 20): Promise<number> {
  try {
    return await freePort('127.0.0.1', randomInt(20_000, 32_000));
  } catch (error) {
    if (attempts <= 1) throw error;
    return findFreePort(attempts - 1);
  }
}
