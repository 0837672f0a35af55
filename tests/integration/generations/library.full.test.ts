/** A purge that fails at any of its steps. */
import { expect } from 'vitest';
import { workerContext } from '#tests/support/credits.ts';
import { faultKinds, withFault } from '#tests/support/faults.ts';
import { newImage } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import { purgeDeleted } from '#worker/upkeep/generations.ts';
import { remove, stored, testLibrary } from './library-steps.ts';

const test = testLibrary();

test.for(faultKinds)(
  'a purge with the fault "%s" at any of its steps is finished by the next one',
  async (kind, { stack, crashableDb, seller }) => {
    const context = { ...workerContext(stack), db: crashableDb };
    const ages = { deletedBefore: new Date(Date.now() + 60_000), endedBefore: new Date() };
    for (let at = 0, complete = false; !complete; at += 1) {
      expect(at, 'a purge has fewer steps').toBeLessThan(12);
      const { id } = await newImage(stack, seller);
      await remove(seller, id);
      const endedBefore = new Date();
      complete = await withFault({ kind, at }, () =>
        purgeDeleted(context, { ...ages, endedBefore }, 500),
      ).then(
        (count) => count === 1,
        () => false,
      );
      await purgeDeleted(workerContext(stack), { ...ages, endedBefore }, 500);
      expect(await stack.models.generations.findById(id).lean()).toMatchObject({
        prompt: '',
        deletion: { stage: 'purged' },
      });
      expect(stored(stack, `generations/${id}`)).toBe(false);
      expect(stored(stack, `photo-sets/${id}`)).toBe(false);
    }
    await expect.poll(() => stack.audit(), eventually).toEqual([]);
  },
);
