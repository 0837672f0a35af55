/** An S3 server for tests that needs no container: `../shared/tools/s3-server`, which Go builds once. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startWatchedProgram, type WatchedProgram } from '#local/parent-watchdog.ts';
import { readEnvironment } from '#shared/platform/environment.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';

const tool = join(rootFolder, '../shared/tools/s3-server');

/** The credentials that it accepts. */
export const toolCredentials = { accessKeyId: 'packshot', secretAccessKey: 'packshot-secret' };

/** Whether there is such a server; it may still need Go to be built. */
export const hasS3Tool = () => existsSync(tool);

/**
 * Starts it on a port of 127.0.0.1.
 * @param folder for its data; one that it removes at its end unless given
 * @throws ProgramNotStarted
 */
export function startS3Tool(port: number, folder?: string): Promise<WatchedProgram> {
  return startWatchedProgram({
    command: [tool, '--port', String(port), ...(folder === undefined ? [] : ['--data', folder])],
    env: readEnvironment(),
    endSignal: 'TERM',
    isReady: (line) => line.startsWith('S3 http'),
  });
}
