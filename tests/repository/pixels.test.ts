/** No main thread of a server or worker loops over pixels (docs/decisions/0127-pixels-are-not-for-the-main-thread.md). */
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rootFolder } from '#shared/platform/root-folder.ts';

/** Folders whose code runs in processes of their own: decoders, photo checks, sketches, product match. */
const ownProcesses = /^(server\/(decoder|photo-checks|sketches)|worker\/product-match|shared\/cutout)\//;

/** What gets pixels in a main thread, to hand them to the thread for them. */
const handsOver = ['worker/generate/check-image.ts', 'worker/generate/thumbnail.ts'];

test('pixels are decoded in processes of their own, or for the thread that loops over them', async () => {
  const decoding: string[] = [];
  const sources = glob('{server,worker,shared}/**/*.ts', { cwd: rootFolder, exclude: ['**/*.test.ts'] });
  for await (const file of sources) {
    if (ownProcesses.test(file)) continue;
    const text = await readFile(join(rootFolder, file), 'utf8');
    if (/\.raw\(/.test(text)) decoding.push(file);
    // The loops themselves: only their thread calls them.
    if (/^import \{[^}]*\} from '[^']*\/result-checks\.ts'/m.test(text)) {
      expect(['worker/generate/pixel-thread.ts', 'worker/generate/thumbnail.ts'], file).toContain(file);
    }
  }
  expect(decoding.toSorted()).toEqual(handsOver);
});
