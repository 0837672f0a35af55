/** What one image leaves in MongoDB and in the storage, with a photo and an image as large as those of photographs. */

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import { countUnsettled } from '#shared/data/generations/end.ts';
import { documentSizes } from '#tests/campaigns/support/rows.ts';
import { concurrency, onStack } from '#tests/campaigns/support/stack.ts';
import { createBenchSeller } from '#tests/support/connected-seller.ts';
import { grainyPhoto } from '#tests/support/sample-photo.ts';

/** @param count images that are made */
export async function benchStored(count: number): Promise<void> {
  await onStack({ imageFlags: ['--grain'] }, async (stack) => {
    const { db } = stack;
    const seller = await createBenchSeller(stack);
    const photo = await grainyPhoto();
    const [before, filesBefore] = [await documentSizes(db), await fileSizes(stack.storageFolder)];
    await pLimit(concurrency).map(Array(count).keys(), async () =>
      seller.succeeded(await seller.submit(photo)),
    );
    // The ledger entry and the notification follow the event.
    while ((await countUnsettled(db)) > 0) await wait(100);
    const [after, filesAfter] = [await documentSizes(db), await fileSizes(stack.storageFolder)];
    console.log(`one image leaves, on average of ${count}, with one photo of ${kilobytes(photo.size)}:`);
    for (const [name, { documents, bytes }] of after) {
      const old = before.get(name) ?? { documents: 0, bytes: 0 };
      if (bytes <= old.bytes) continue;
      const each = ((documents - old.documents) / count).toFixed(2);
      console.log(
        `    MongoDB ${name}: ${each} documents, ${((bytes - old.bytes) / count).toFixed(0)} bytes`,
      );
    }
    for (const [name, { files, bytes }] of filesAfter) {
      const old = filesBefore.get(name) ?? { files: 0, bytes: 0 };
      console.log(
        `    storage ${name}/: ${((files - old.files) / count).toFixed(2)} files, ${kilobytes((bytes - old.bytes) / count)}`,
      );
    }
  });
}

/** Files and bytes in each folder of the storage's first level. */
async function fileSizes(folder: string): Promise<Map<string, { files: number; bytes: number }>> {
  const sizes = new Map<string, { files: number; bytes: number }>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const first = path.slice(folder.length + 1).split('/')[0]!;
    // The marker of the storage is a file of the first level.
    if (!entry.isFile() || first === entry.name) continue;
    const size = sizes.get(first) ?? { files: 0, bytes: 0 };
    sizes.set(first, { files: size.files + 1, bytes: size.bytes + (await stat(path)).size });
  }
  return sizes;
}

const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(0)} kB`;
