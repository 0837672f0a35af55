import type { Log } from './log.ts';

/**
 * The storage folder failed: no room, no permission, a broken disk, not the right folder. That is for the operator to
 * mend and never a photo's fault.
 */
export class StorageError extends Error {
  override name = 'StorageError';
  /** The system's code, such as `ENOSPC` or `EIO`; `NO_ROOM` and `WRONG_FOLDER` are our own. */
  readonly code: string;
  readonly path: string;

  constructor(code: string, path: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.path = path;
  }
}

/**
 * Does something with a file of the storage folder.
 * @throws StorageError for whatever the system refuses; other errors pass as they are
 */
export async function onDisk<Value>(path: string, step: () => Promise<Value>): Promise<Value> {
  try {
    return await step();
  } catch (error) {
    throw storageErrorOf(error, path) ?? error;
  }
}

/**
 * The failure of the storage folder that an error tells of.
 * @param path the file that was worked on
 * @returns undefined when the error is about something else, such as the content of a photo
 */
export function storageErrorOf(error: unknown, path: string): StorageError | undefined {
  if (error instanceof StorageError) return error;
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error);
  return code === undefined ? undefined : new StorageError(code, path, `${path}: ${error.message}`, error);
}

function codeOf(error: Error): string | undefined {
  if ('syscall' in error && 'code' in error) return String(error.code);
  // sharp gives no code: libvips says what it was doing and, in a line of its own, what the system answered.
  const answered =
    /: (?:write error|read error|unable to open for (?:write|read))\nsystem error: (.+)$/m.exec(
      error.message,
    )?.[1];
  if (answered !== undefined) return systemCodes[answered] ?? 'UNKNOWN';
  return error.message.startsWith('Input file is missing') ? 'ENOENT' : undefined;
}

/** What the C library says, in `strerror`'s words. */
const systemCodes: Readonly<Record<string, string>> = {
  'No space left on device': 'ENOSPC',
  'Disk quota exceeded': 'EDQUOT',
  'Input/output error': 'EIO',
  'Permission denied': 'EACCES',
  'Read-only file system': 'EROFS',
  'No such file or directory': 'ENOENT',
};

/** How often one kind of failure is logged as an error, in ms: it may go on for hours. */
const logEveryMs = 60_000;
const loggedAt = new Map<string, number>();

/** Tells the operator of a failure, each kind once a minute at most; what lies between is there at level `debug`. */
export function logStorageError(log: Pick<Log, 'error' | 'debug'>, error: StorageError): void {
  const { code, path } = error;
  const last = loggedAt.get(code);
  const due = last === undefined || Date.now() - last >= logEveryMs;
  if (due) loggedAt.set(code, Date.now());
  log[due ? 'error' : 'debug']({ err: error, code, path }, `storage: ${error.message}`);
}
