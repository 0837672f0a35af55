import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';

export type Log = Logger;

/** The logged part of a request. */
interface LoggedRequest {
  method: string;
  url: string;
  host: string;
  ip: string;
}

/** Names of query parameters whose values are secret: tokens of mail links, codes, keys. */
const secretName = /token|code|secret|key|password|signature/i;

/**
 * Creates the log of a process: JSON lines on stdout, without secrets.
 * @param name of the program: `server` or `worker`
 */
export function createLog(config: Pick<Config, 'logLevel'>, name: string): Log {
  return pino({
    name,
    level: config.logLevel,
    redact: ['req.headers.authorization', 'req.headers.cookie', 'headers.authorization', 'headers.cookie'],
    serializers: {
      req: ({ method, url, host, ip }: LoggedRequest) => ({
        method,
        url: withoutSecrets(url),
        host,
        remoteAddress: ip,
      }),
    },
  });
}

/** A request's URL with the values of secret query parameters replaced. */
export function withoutSecrets(url: string): string {
  const start = url.indexOf('?');
  if (start === -1) return url;
  const pairs = url.slice(start + 1).split('&');
  const shown = pairs.map((pair) => {
    const [name = ''] = pair.split('=', 1);
    // A name that cannot be decoded is treated as secret.
    return isSecret(name) ? `${name}=[redacted]` : pair;
  });
  return `${url.slice(0, start)}?${shown.join('&')}`;
}

function isSecret(name: string): boolean {
  try {
    return secretName.test(decodeURIComponent(name));
  } catch {
    return true;
  }
}
