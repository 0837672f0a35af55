import { once } from 'node:events';
import { request } from 'node:http';

/** Sends a GET request with any `Host` header, which `fetch` does not allow. @returns the status of the reply */
export async function requestWithHost(url: string, path: string, host: string): Promise<number> {
  const sent = request(new URL(path, url), { headers: { host }, agent: false }).end();
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode;
}
