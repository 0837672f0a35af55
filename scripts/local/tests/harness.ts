import { once } from 'node:events';
import { request } from 'node:http';

/**
 * A limit for a test on this machine: how long it waits at most. The process that starts the tests measures how slow the
 * machine is, and says so in TEST_MACHINE_FACTOR.
 * @param ms the limit on a fast machine
 */
export function limitMs(ms: number): number {
  return Math.ceil(ms * Number(process.env.TEST_MACHINE_FACTOR || 1));
}

/** Sends a GET request with any `Host` header, which `fetch` does not allow. @returns the status of the reply */
export async function requestWithHost(url: string, path: string, host: string): Promise<number> {
  const sent = request(new URL(path, url), { headers: { host }, agent: false }).end();
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode;
}
