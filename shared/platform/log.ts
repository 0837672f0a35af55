import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';

export type Log = Logger;

/** The part of a request that its line in the log is made of. */
interface LoggedRequest {
  method: string;
  url: string;
  host: string;
  ip: string;
}

/** Names of query parameters whose values open accounts or prove something: tokens of mail links, codes, keys. */
const secretName = /token|code|secret|key|password|signature/i;

/**
 * Makes the log of one process: JSON lines on standard output, secrets left out.
 * @param name which program writes: `server`, `worker`
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

/** A request's URL as it may be logged: the values of secret query parameters are replaced. */
export function withoutSecrets(url: string): string {
  const start = url.indexOf('?');
  if (start === -1) return url;
  const pairs = url.slice(start + 1).split('&');
  const shown = pairs.map((pair) => {
    const [name = ''] = pair.split('=', 1);
    // A name may be encoded to hide what it is: one that cannot be read is not shown either.
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
