import { expect, test, vi } from 'vitest';
import { logStorageError, onDisk, StorageError, storageErrorOf } from './storage-error.ts';

const path = '/images/incoming/1.png';
const system = (code: string) =>
  Object.assign(new Error(`${code}: it failed`), { code, syscall: 'write', path });
/** An error as sharp throws it with the message of libvips. */
const ofSharp = (doing: string, answer: string) =>
  new Error(`${path}: ${doing}\nsystem error: ${answer}\nvips2png: unable to write to target ${path}`);

test.for<[what: string, error: Error, code: string]>([
  ['a full disk', system('ENOSPC'), 'ENOSPC'],
  ['a quota', system('EDQUOT'), 'EDQUOT'],
  ['a broken disk', system('EIO'), 'EIO'],
  ['a folder of another user', system('EACCES'), 'EACCES'],
  ['a disk mounted for reading', system('EROFS'), 'EROFS'],
  ['a file server that forgot us', system('ESTALE'), 'ESTALE'],
  ['a full disk under sharp', ofSharp('write error', 'No space left on device'), 'ENOSPC'],
  ['a quota under sharp', ofSharp('write error', 'Disk quota exceeded'), 'EDQUOT'],
  ['a broken disk under sharp', ofSharp('read error', 'Input/output error'), 'EIO'],
  [
    'a folder of another user under sharp',
    ofSharp('unable to open for write', 'Permission denied'),
    'EACCES',
  ],
  ['something else under sharp', ofSharp('write error', 'Owner died'), 'UNKNOWN'],
  ['an upload that is gone', new Error(`Input file is missing: ${path}`), 'ENOENT'],
])('%s is the storage', async ([, error, code]) => {
  const failure = await onDisk(path, () => Promise.reject(error)).catch((thrown: unknown) => thrown);
  expect(failure).toBeInstanceOf(StorageError);
  const said = {
    ENOSPC: 'the disk is full: it has no',
    EDQUOT: 'the disk is full: the quota',
    EROFS: 'the disk cannot',
  }[code];
  expect(failure).toMatchObject({ code, path, cause: error });
  expect((failure as Error).message).toContain(`${path}: ${said ?? error.message}`);
  expect(storageErrorOf(failure, 'elsewhere')).toBe(failure);
});

test.for<[what: string, error: unknown]>([
  [
    'a photo that is cut off',
    new Error(`vipspng: libpng read error\nvips2png: unable to write to target ${path}`),
  ],
  ['a photo that is none', new Error('Input file contains unsupported image format')],
  ['a code of ours', Object.assign(new Error('no'), { code: 'IMAGE_CORRUPT' })],
  ['no error', 'ENOSPC'],
])('%s is not', ([, error]) => {
  expect(storageErrorOf(error, path)).toBeUndefined();
});

test('each kind is logged as an error once a minute, and at level debug otherwise', () => {
  vi.useFakeTimers();
  const lines: [level: string, code: unknown][] = [];
  const log = {
    error: ({ code }: { code: unknown }) => void lines.push(['error', code]),
    debug: ({ code }: { code: unknown }) => void lines.push(['debug', code]),
  } as unknown as Parameters<typeof logStorageError>[0];
  const say = (code: string) => logStorageError(log, new StorageError(code, path, 'failed'));
  for (const code of ['E1', 'E1', 'E2', 'E1']) say(code);
  vi.advanceTimersByTime(60_000);
  say('E1');
  say('E1');
  expect(lines).toEqual([
    ['error', 'E1'],
    ['debug', 'E1'],
    ['error', 'E2'],
    ['debug', 'E1'],
    ['error', 'E1'],
    ['debug', 'E1'],
  ]);
});
