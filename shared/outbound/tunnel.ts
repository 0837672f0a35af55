import * as http from 'node:http';
import * as https from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import { OutboundError } from './outbound-error.ts';

/**
 * Connects to a host through a proxy (CONNECT). It is the proxy that resolves the name.
 * @param proxy `http://` or `https://`, with user name and password if it asks for them
 * @param silentMs how long the proxy may send nothing, in ms
 * @param signal ends it
 * @throws OutboundError, or Node's error of the connection to the proxy
 */
export function connectThrough(
  proxy: URL,
  { host, port }: { host: string; port: number },
  { silentMs, signal }: { silentMs: number; signal: AbortSignal },
): Promise<Socket> {
  const target = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const { request } = proxy.protocol === 'https:' ? https : http;
  const [user, password] = [proxy.username, proxy.password].map(decodeURIComponent);
  const credentials = Buffer.from(`${user}:${password}`).toString('base64');
  return new Promise((resolve, reject) => {
    const asking = request({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...(user && { 'proxy-authorization': `Basic ${credentials}` }) },
      agent: false,
      timeout: silentMs,
      signal,
    });
    asking.once('timeout', () => asking.destroy(new OutboundError('timeout')));
    asking.on('error', reject);
    asking.once('connect', ({ statusCode }, socket, head) => {
      if (statusCode !== 200) {
        socket.destroy();
        reject(new OutboundError('unreachable', { cause: new Error(`the proxy answered ${statusCode}`) }));
        return;
      }
      socket.setTimeout(0);
      if (head.length > 0) socket.unshift(head);
      resolve(socket as Socket);
    });
    asking.end();
  });
}
