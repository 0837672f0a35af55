import { type ChildLoggerOptions, type Logger, pino } from 'pino';
import type { Config } from './config.ts';
import { currentTrace } from './trace.ts';

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

/** Logs whose lines have a trace id of their own. */
const ofRequests = new WeakSet<object>();

/**
 * Creates the log of a process: JSON lines on stdout, without secrets. Lines that are written in a trace have its
 * `traceId`.
 * @param name of the program: `server` or `worker`
 */
export function createLog(config: Pick<Config, 'logLevel'>, name: string): Log {
  return pino({
    name,
    level: config.logLevel,
    mixin: (_fields, _level, log) => {
      const trace = ofRequests.has(log) ? undefined : currentTrace();
      return trace ? { traceId: trace.id } : {};
    },
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

/** The log of a request, whose lines have its trace id even where the request's trace is lost. */
export function requestLog(log: Log, traceId: string, options?: ChildLoggerOptions): Log {
  const child = log.child({ traceId }, options);
  ofRequests.add(child);
  return child;
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
