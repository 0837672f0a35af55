import type { Upload } from './read-upload.ts';
import type { Slot } from './slots.ts';

/**
 * Does something with an upload under a slot. Afterwards its files are removed, and then the slot is released, also when it
 * fails: so no more files are there than slots allow.
 * @param use calls its parameter with the upload, once it was read; it returns the same
 */
export async function underSlot<Result>(
  slot: Slot,
  use: (own: (upload: Upload) => Upload) => Promise<Result>,
): Promise<Result> {
  let owned: Upload | undefined;
  try {
    return await use((upload) => {
      owned = upload;
      return upload;
    });
  } finally {
    try {
      await owned?.discard();
    } finally {
      slot.release();
    }
  }
}
