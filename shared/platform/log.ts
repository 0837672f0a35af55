import { type ChildLoggerOptions, type Logger, pino } from 'pino';
import { apiKeyPrefixes } from '#contract/api-keys.ts';
import type { Config } from './config.ts';
import { currentTrace } from './trace.ts';

export type Log = Logger;

/** The logged part of a request: not its address, which is a person's. */
interface LoggedRequest {
  method: string;
  url: string;
}

/** Names of query parameters whose values are secret: tokens of mail links, codes, keys, addresses of people. */
const secretName = /token|code|secret|key|password|signature|credential|mail|address|auth/i;

const keyPrefixes = Object.values(apiKeyPrefixes);

/** An `@` in a URL. It may have been encoded several times. */
const at = /@|%(?:25)*40/i;

/**
 * An escape of JSON, which is kept as it is, or an email address. Its local part is limited, so that a long text without `@`
 * costs little.
 */
const escapeOrAddress =
  /\\(?:u[\da-f]{4}|.)|[^\s"'\\<>()[\],;:@/]{1,64}(?:@|%40)(?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]*/giu;

/** Logs whose lines have a trace id of their own. */
const ofRequests = new WeakSet<object>();

/**
 * Creates the log of a process: JSON lines on stdout, with times in ISO 8601 and levels by name, without secrets and without
 * email addresses, whoever wrote them: a mail server's answer names its recipient. Lines that are written in a trace have
 * its `traceId`.
 * @param name of the program: `server` or `worker`
 */
export function createLog(config: Pick<Config, 'logLevel'>, name: string): Log {
  return pino({
    name,
    level: config.logLevel,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
    hooks: { streamWrite: withoutAddresses },
    mixin: (_fields, _level, log) => {
      const trace = ofRequests.has(log) ? undefined : currentTrace();
      return trace ? { traceId: trace.id } : {};
    },
    redact: ['req.headers.authorization', 'req.headers.cookie', 'headers.authorization', 'headers.cookie'],
    serializers: {
      req: ({ method, url }: LoggedRequest) => ({ method, url: withoutSecrets(url) }),
    },
  });
}

/** The log of a request, whose lines have its trace id even where the request's trace is lost. */
export function requestLog(log: Log, traceId: string, options?: ChildLoggerOptions): Log {
  const child = log.child({ traceId }, options);
  ofRequests.add(child);
  return child;
}

/** A line of the log with its email addresses replaced. @param line JSON, which stays valid */
export function withoutAddresses(line: string): string {
  if (!at.test(line)) return line;
  return line.replace(escapeOrAddress, (found) => (found.startsWith('\\') ? found : '[address]'));
}

/** A request's URL with the values of secret query parameters replaced, and everything that may be an address or has an API key. */
export function withoutSecrets(url: string): string {
  if (!url.includes('?') && !isPrivate(url)) return url;
  const [path = '', ...queries] = url.split('?');
  const shownPath = path
    .split('/')
    .map((part) => (isPrivate(part) ? '[redacted]' : part))
    .join('/');
  if (queries.length === 0) return shownPath;
  const pairs = queries.join('?').split('&');
  const shown = pairs.map((pair) => {
    const [name = ''] = pair.split('=', 1);
    if (isPrivate(name)) return '[redacted]';
    // A name that cannot be decoded is treated as secret.
    return isSecret(name) || isPrivate(pair) ? `${name}=[redacted]` : pair;
  });
  return `${shownPath}?${shown.join('&')}`;
}

/** Whether a part of a URL may be an address, or has an API key, which belongs in a header. */
const isPrivate = (part: string) => at.test(part) || keyPrefixes.some((prefix) => part.includes(prefix));

function isSecret(name: string): boolean {
  try {
    return secretName.test(decodeURIComponent(name));
  } catch {
    return true;
  }
}
