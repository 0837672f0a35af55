/** Finds a free port before a process listens on it. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { StackError } from './process.ts';

/**
 * Checks that a port is free.
 * @param wanted 0 for any free port
 * @returns the port
 * @throws StackError when it is taken or not allowed
 */
export async function freePort(host: string, wanted: number): Promise<number> {
  const probe = createServer();
  try {
    probe.listen(wanted, host);
    await once(probe, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StackError(
      code === 'EADDRINUSE'
        ? `port ${wanted} is in use: stop the program that uses it, or choose another port, such as \`PORT=${wanted + 1} npm start\``
        : `cannot listen on ${host}:${wanted} (${code}): set HOST and PORT to an address of this machine`,
    );
  }
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
