/** Makes all pictures of the site. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { pictureGroups } from './groups/all.ts';
import { demoPhotos } from './groups/demo.ts';
import { writeIcons } from './icons.ts';
import { writeOpenGraphCards } from './open-graph.ts';
import { openPictureSources } from './picture-sources.ts';
import { samplePhotoFile } from './sample-photos.ts';
import { writeGroup } from './write-group.ts';

/** Where the pictures of the web app are. */
export const picturesFolder = join(rootFolder, 'web', 'src', 'pictures');

/**
 * Makes the pictures in `web/src/pictures` and the icons in `web/public/icons`. The same checkout gives the same files.
 * @param only makes only the pictures whose path, such as `landing/soap-pastel`, contains this
 * @param onProgress called with a line for each picture
 */
export async function writeSite(only: string, onProgress: (line: string) => void): Promise<void> {
  const sources = openPictureSources();
  try {
    for (const group of pictureGroups) {
      const isWanted = (path: string) => path.includes(only);
      if (!group.pictures.some(({ name }) => isWanted(`${group.folder}/${name}`))) continue;
      await writeGroup(group, { root: picturesFolder, sources, isWanted, onProgress });
    }
    for (const { id, photo } of demoPhotos) {
      await copyFile(samplePhotoFile(photo), join(picturesFolder, 'products', `${id}.jpg`));
    }
    if ('open-graph/'.includes(only)) await writeOpenGraphCards(join(picturesFolder, 'open-graph'), sources);
    await writeIcons(join(rootFolder, 'web', 'public', 'icons'));
  } finally {
    await sources.close();
  }
}
