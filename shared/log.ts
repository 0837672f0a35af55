import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';

export type Log = Logger;

/**
 * Makes the log of one process: JSON lines on standard output, secrets left out.
 * @param name which program writes: `server`, `worker`
 */
export function createLog(config: Pick<Config, 'logLevel'>, name: string): Log {
  return pino({
    name,
    level: config.logLevel,
    redact: ['req.headers.authorization', 'req.headers.cookie', 'headers.authorization', 'headers.cookie'],
  });
}
