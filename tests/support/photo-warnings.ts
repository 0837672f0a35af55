/** Which photos get a warning: sample products, and what makes their photos worse. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PhotoWarning } from '#contract';
import { checkPhoto } from '#contract/photo-pixels.ts';
import {
  degradations,
  degradedJpeg,
  type Picture,
  readPicture,
} from '#tests/campaigns/photo-checks/degrade.ts';
import { sampleFolder } from '#tests/campaigns/photo-checks/photos.ts';

/** What is on the edge: some photos get a warning for it and some do not, as the campaign counts. */
const onTheEdge: readonly string[] = ['dark by 2 stops', 'bright by 1.5 stops'];

/** The warnings of a photo. */
export const warningsOf = (picture: Picture): PhotoWarning[] => checkPhoto({ ...picture, channels: 3 });

/** Tests the warnings of a sample photo as it is, and after each degradation. @param name its file */
export function testWarningsOf(name: string): void {
  describe(name, async () => {
    const picture = await readPicture(join(sampleFolder, name));
    const clear = Object.entries(degradations).filter(([kind]) => !onTheEdge.includes(kind));
    test.each(clear)('%s', async (_, degradation) => {
      const degraded = await readPicture(await degradedJpeg(picture, degradation, 1));
      expect(warningsOf(degraded)).toEqual(degradation.warning === null ? [] : [degradation.warning]);
    });
  });
}
