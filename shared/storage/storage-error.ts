import type { Log } from '#shared/platform/log.ts';

/**
 * The storage failed: no space, no permission, a disk error, no answer, or the wrong storage. The operator has to repair it.
 */
export class StorageError extends Error {
  override name = 'StorageError';
  /** A system error code such as `ENOSPC` or `EIO`, or `NO_ROOM` or `WRONG_STORAGE`. */
  readonly code: string;
  readonly path: string;

  constructor(code: string, path: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.path = path;
  }
}

/**
 * Runs a file operation in the storage folder.
 * @throws StorageError for system errors; other errors unchanged
 */
export async function onDisk<Value>(path: string, step: () => Promise<Value>): Promise<Value> {
  try {
    return await step();
  } catch (error) {
    throw storageErrorOf(error, path) ?? error;
  }
}

/**
 * The StorageError for an error of the file system or of sharp.
 * @param path the file of the operation
 * @returns undefined for other errors, such as an invalid photo
 */
export function storageErrorOf(error: unknown, path: string): StorageError | undefined {
  if (error instanceof StorageError) return error;
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error);
  if (code === undefined) return undefined;
  return new StorageError(code, path, `${path}: ${words[code] ?? error.message}`, error);
}

/** What an operator has to do about the disk, which the system's words do not say. */
const words: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: it has no room or no free inodes (ENOSPC)',
  EDQUOT: 'the disk is full: the quota of its user is used up (EDQUOT)',
  EROFS: 'the disk cannot be written: it is mounted read-only (EROFS)',
};

function codeOf(error: Error): string | undefined {
  // The second one is of Node's permission model.
  if ('code' in error && ('syscall' in error || error.code === 'ERR_ACCESS_DENIED'))
    return String(error.code);
  // sharp has no error codes: the message of libvips has the system error on its second line.
  const systemError =
    /: (?:write error|read error|unable to open for (?:write|read))\nsystem error: (.+)$/m.exec(
      error.message,
    )?.[1];
  if (systemError !== undefined) return systemCodes[systemError] ?? 'UNKNOWN';
  return error.message.startsWith('Input file is missing') ? 'ENOENT' : undefined;
}

/** System error codes by the texts of `strerror`. */
const systemCodes: Readonly<Record<string, string>> = {
  'No space left on device': 'ENOSPC',
  'Disk quota exceeded': 'EDQUOT',
  'Input/output error': 'EIO',
  'Permission denied': 'EACCES',
  'Read-only file system': 'EROFS',
  'No such file or directory': 'ENOENT',
};

/** Each kind of failure is logged as an error once in this time, in ms. */
const logEveryMs = 60_000;
const loggedAt = new Map<string, number>();

/**
 * For `catch` of what may fail with the storage: logs its failure. @returns a function that throws any other error
 */
export const logIfStorageFails =
  (log: Pick<Log, 'error' | 'debug'>) =>
  (error: unknown): void => {
    if (!(error instanceof StorageError)) throw error;
    logStorageError(log, error);
  };

/** Logs a failure as an error, each kind at most once a minute; repetitions are logged at level `debug`. */
export function logStorageError(log: Pick<Log, 'error' | 'debug'>, error: StorageError): void {
  const { code, path } = error;
  const last = loggedAt.get(code);
  const due = last === undefined || Date.now() - last >= logEveryMs;
  if (due) loggedAt.set(code, Date.now());
  log[due ? 'error' : 'debug']({ err: error, code, path }, `storage: ${error.message}`);
}
