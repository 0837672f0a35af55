import { describe, expect, it } from 'vitest';
import { errorDefinitions, limits } from '#contract';
import { checkFiles } from './photos.ts';

const file = (name: string, size = 1_000) => ({ name, size });

describe('checkFiles', () => {
  it('leaves out files beyond four, with one message', () => {
    const files = ['a', 'b', 'c', 'd', 'e'].map((name) => file(name));
    const { accepted, messages } = checkFiles(files, 1);
    expect(accepted.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(messages).toEqual([errorDefinitions.TOO_MANY_FILES[1]]);
  });

  it('refuses empty files and files over the limit, with a message that names each', () => {
    const { accepted, messages } = checkFiles(
      [
        file('empty.png', 0),
        file('big.png', limits.photoFileBytes + 1),
        file('bigger.png', limits.photoFileBytes * 2),
        file('full.png', limits.photoBytes),
      ],
      0,
    );
    expect(accepted.map(({ name }) => name)).toEqual(['full.png']);
    expect(messages).toEqual([
      '“empty.png” is empty. Please choose another photo.',
      '“big.png” is larger than 20 MB. Please upload a smaller one.',
      '“bigger.png” is larger than 20 MB. Please upload a smaller one.',
    ]);
  });
});
