import { describe, expect, it } from 'vitest';
import { errorDefinitions, limits } from '#contract';
import { checkFiles } from './photos.ts';

const file = (name: string, type = 'image/png', size = 1_000) => ({ name, type, size });

describe('checkFiles', () => {
  it('leaves out files beyond four, with one message', () => {
    const files = ['a', 'b', 'c', 'd', 'e'].map((name) => file(name));
    const { accepted, messages } = checkFiles(files, 1);
    expect(accepted.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(messages).toEqual([errorDefinitions.TOO_MANY_FILES[1]]);
  });

  it('refuses other types, empty files and files over the limit with the contract’s messages', () => {
    const { accepted, messages } = checkFiles(
      [
        file('notes.pdf', 'application/pdf'),
        file('logo.svg', 'image/svg+xml'),
        file('empty.png', 'image/png', 0),
        file('big.png', 'image/png', limits.photoBytes + 1),
        file('full.png', 'image/png', limits.photoBytes),
      ],
      0,
    );
    expect(accepted.map(({ name }) => name)).toEqual(['full.png']);
    expect(messages).toEqual([
      errorDefinitions.TYPE_UNSUPPORTED[1],
      errorDefinitions.FILE_EMPTY[1],
      errorDefinitions.FILE_TOO_LARGE[1],
    ]);
  });

  it('goes by the extension if the system gives no type', () => {
    expect(
      checkFiles([file('cup.AVIF', ''), file('cup.tif', 'application/octet-stream')], 0).accepted,
    ).toHaveLength(2);
    expect(checkFiles([file('cup.exe', ''), file('png', '')], 0).accepted).toHaveLength(0);
  });
});
