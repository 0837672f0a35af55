import { randomInt } from 'node:crypto';
import { freePort } from '#scripts/start/port.ts';

/** Below those of the tests (tests/support/free-port.ts), and below those that the system gives to outgoing connections. */
const [firstPort, portCount] = [10_000, 10_000];
const found = new Set<number>();

/**
 * Finds a free port of 127.0.0.1 for something that ends and starts again: no outgoing connection takes it meanwhile. It is
 * not found again by this process. Each is drawn, because another campaign may have many that follow one another.
 */
export async function findLastingPort(tries = 20): Promise<number> {
  const wanted = firstPort + randomInt(portCount);
  if (found.has(wanted)) return findLastingPort(tries);
  found.add(wanted);
  try {
    return await freePort('127.0.0.1', wanted);
  } catch (error) {
    if (tries === 1) throw error;
    return findLastingPort(tries - 1);
  }
}
