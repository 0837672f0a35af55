import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { freePort } from '#scripts/start/port.ts';

/** Below those of the tests (tests/support/free-port.ts), and below those that the system gives to outgoing connections. */
const [firstPort, portCount] = [10_000, 10_000];

/**
 * Finds a free port of 127.0.0.1 for something that ends and starts again: no outgoing connection takes it meanwhile, and
 * no campaign finds it again until this process ends. Each is drawn, because another campaign may have many that follow one
 * another.
 */
export async function findLastingPort(tries = 20): Promise<number> {
  const wanted = firstPort + randomInt(portCount);
  try {
    await claim(wanted);
    return await freePort('127.0.0.1', wanted);
  } catch (error) {
    if (tries === 1) throw error;
    return findLastingPort(tries - 1);
  }
}

/** Keeps a UDP socket on the number of a port, which only one process can have. @throws when another one has it */
async function claim(port: number): Promise<void> {
  const socket = createSocket('udp4').unref();
  socket.bind({ port, address: '127.0.0.1', exclusive: true });
  await once(socket, 'listening');
}
