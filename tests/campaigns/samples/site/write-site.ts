/** Makes all pictures of the site. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { watermarkFile } from '#shared/images/watermark.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { pictureGroups } from './groups/all.ts';
import { demoPhotos } from './groups/demo.ts';
import { writeIcons } from './icons.ts';
import { writeOpenGraphCards } from './open-graph.ts';
import { isScene } from './picture.ts';
import { writeFiles, writeList } from './picture-files.ts';
import { openPictureSources } from './picture-sources.ts';
import { samplePhotoFile } from './sample-photos.ts';
import { writeWatermark } from './watermark.ts';

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
    for (const { folder: group, widths, pictures } of pictureGroups) {
      const wanted = pictures.filter(({ name }) => `${group}/${name}`.includes(only));
      if (wanted.length === 0) continue;
      const folder = join(picturesFolder, group);
      for (const { name, source, widths: own } of wanted) {
        const sizes = await writeFiles(folder, name, await sources.make(source), own ?? widths);
        onProgress(`${group}/${name}  ${sizes}`);
      }
      const list = pictures.map(({ name, alt, source }) => {
        return { name, alt, scene: isScene(source) ? source.scene : undefined };
      });
      await writeList(folder, list);
    }
    for (const { id, photo } of demoPhotos) {
      await copyFile(samplePhotoFile(photo), join(picturesFolder, 'products', `${id}.jpg`));
    }
    if ('open-graph/'.includes(only)) await writeOpenGraphCards(join(picturesFolder, 'open-graph'), sources);
    await writeIcons(join(rootFolder, 'web', 'public', 'icons'));
    await writeWatermark(fileURLToPath(watermarkFile));
  } finally {
    await sources.close();
  }
}
