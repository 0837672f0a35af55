/** Makes the pictures of the site at full size: photos as they are or changed, and rendered scenes. */
import sharp from 'sharp';
import { startRenderer } from '#tests/campaigns/support/render.ts';
import { isScene, type Picture, type SceneSource } from './picture.ts';
import { readSamplePhoto, samplePhotoFile } from './sample-photos.ts';

/** Makes pictures until it is closed. */
export interface PictureSources {
  /** The picture at full size, encoded without loss. */
  make(source: Picture['source']): Promise<Buffer>;
  close(): Promise<void>;
}

/** Starts the local renderer. An image that appears in several places is rendered once. */
export function openPictureSources(): PictureSources {
  const renderer = startRenderer();
  const rendered = new Map<string, Promise<Buffer>>();

  const render = async ({ photos, scene, variant = 0 }: SceneSource): Promise<Buffer> =>
    renderer.render(await Promise.all(photos.map(readSamplePhoto)), scene, { variant });

  return {
    make(source) {
      if (!isScene(source)) return changedPhoto(source);
      const key = JSON.stringify(source);
      const image = rendered.get(key) ?? render(source);
      rendered.set(key, image);
      return image;
    },
    close: () => renderer.close(),
  };
}

async function changedPhoto(source: Exclude<Picture['source'], SceneSource>): Promise<Buffer> {
  const { photo, crop, brightness, blur, detail } = source;
  let image = sharp(samplePhotoFile(photo)).rotate();
  if (crop !== undefined) {
    const missing = Math.max(0, -crop.left);
    const wide =
      missing === 0
        ? image
        : sharp(await image.extend({ left: missing, extendWith: 'mirror' }).png().toBuffer());
    image = wide.extract({ ...crop, left: crop.left + missing });
  }
  if (brightness !== undefined) image = image.modulate({ brightness });
  if (blur !== undefined) image = image.blur(blur);
  const changed = await image.png().toBuffer();
  if (detail === undefined) return changed;
  const { width } = await sharp(changed).metadata();
  const small = await sharp(changed).resize({ width: detail }).png().toBuffer();
  return sharp(small).resize({ width, kernel: 'nearest' }).png().toBuffer();
}
