/** Makes the pictures of the site at full size: photos as they are or changed, and rendered scenes. */
import sharp from 'sharp';
import { limits } from '#contract';
import { createProcessRenderer } from '#local/openai/process-renderer.ts';
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
  const renderer = createProcessRenderer();
  const rendered = new Map<string, Promise<Buffer>>();
  const never = new AbortController().signal;

  const render = async ({ photos, scene, variant = 0 }: SceneSource): Promise<Buffer> => {
    const images = await Promise.all(photos.map(readSamplePhoto));
    const job = {
      prompt: scene,
      width: limits.outputWidth,
      height: limits.outputHeight,
      images,
      outputFormat: 'png',
      outputCompression: 100,
      background: 'opaque',
      variant,
      partialImages: 0,
    } as const;
    return renderer.render(job, () => {}, never);
  };

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
