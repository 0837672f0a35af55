/** Images that need no rendering, for tests in which the picture does not matter: prepared ones, and useless ones. */
import sharp, { type Sharp } from 'sharp';
import { changeWithin, decodePicture } from './mask.ts';
import type { Renderer, RenderJob } from './renderer.ts';
import { withChunk } from './scene/recipe.ts';

/** The colours of a disc: a new image has the first, an image that is made from such an image the second. */
const discColours = ['#2f5d62', '#8c3b2e'] as const;
/** Up to this difference in each channel, of 255, a disc has a colour: a photo may have been a JPEG file. */
const colourTolerance = 8;

/** How prepared images differ from the smallest ones. */
interface InstantOptions {
  /** They have grain, and files as large as those of photographs. */
  grain?: boolean | undefined;
  /** Each PNG file has a number of its own in a text chunk: no two are the same file, although they look the same. */
  distinct?: boolean | undefined;
}

/**
 * A renderer that returns a prepared image for each size and format, the same for every new one; partial images are the
 * same image. Made from a prepared image, it has a disc of another colour: it is neither a copy nor unchanged.
 */
export function createInstantRenderer({ grain, distinct }: InstantOptions = {}): Renderer {
  const prepared = new Map<string, Promise<Buffer>>();
  let rendered = 0;
  const imageFor = async (job: RenderJob): Promise<Buffer> => {
    const [usual, other] = discColours;
    const disc = (await isPrepared(job, usual)) ? other : usual;
    const key = `${disc} ${job.width}x${job.height}.${job.outputFormat}`;
    let image = prepared.get(key);
    if (image === undefined) {
      const picture = draw(job, disc);
      image = (grain ? withGrain(picture, job) : picture).toFormat(job.outputFormat).toBuffer();
      prepared.set(key, image);
    }
    return image;
  };
  return {
    async render(job, onPartial, signal) {
      const picture = await withinMask(job, await imageFor(job));
      signal.throwIfAborted();
      rendered += 1;
      const image =
        distinct && job.outputFormat === 'png'
          ? withChunk(picture, Buffer.from(`tEXtComment\0${rendered}`, 'latin1'))
          : picture;
      for (let index = 0; index < job.partialImages; index += 1) onPartial(image);
      return image;
    },
    async close() {},
  };
}

/** Whether the first image is a prepared one of the same size, with a disc of this colour. */
async function isPrepared({ images: [first], width, height }: RenderJob, disc: string): Promise<boolean> {
  if (first === undefined) return false;
  const picture = sharp(first).toColourspace('srgb').removeAlpha();
  const size = await picture.metadata();
  if (size.width !== width || size.height !== height) return false;
  const middle = { left: Math.floor(width / 2), top: Math.floor(height / 2), width: 1, height: 1 };
  const pixel = await picture.extract(middle).raw().toBuffer();
  const colour = Buffer.from(disc.slice(1), 'hex');
  return pixel.every((value, channel) => Math.abs(value - colour[channel]!) <= colourTolerance);
}

/** The first image with the prepared one where the mask is transparent; without a mask, the prepared one. */
async function withinMask(job: RenderJob, image: Buffer): Promise<Buffer> {
  const { width, height, mask, images, outputFormat } = job;
  const [first] = images;
  if (mask === undefined || first === undefined) return image;
  const decode = (bytes: Uint8Array) => decodePicture(bytes, width, height);
  const { data, ...raw } = await changeWithin(mask, await decode(first), await decode(image));
  return sharp(data, { raw }).toFormat(outputFormat).toBuffer();
}

const [wall, table] = ['#d8d2c8', '#a98b6a'];

/** A disc on a surface: a picture that nobody takes for blank, and a small file. */
function draw({ width, height }: RenderJob, disc: string) {
  const radius = Math.min(width, height) / 4;
  const colours = [wall!, table!, disc].map((colour) => Buffer.from(colour.slice(1), 'hex'));
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isDisc = Math.hypot(x - width * 0.5, y - height * 0.52) < radius;
      const colour = colours[isDisc ? 2 : y < height * 0.6 ? 0 : 1]!;
      colour.copy(data, (y * width + x) * 3);
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

function withGrain(picture: Sharp, { width, height }: RenderJob) {
  const noise = { type: 'gaussian', mean: 128, sigma: 5 } as const;
  const input = { create: { width, height, channels: 3, background: '#808080', noise } } as const;
  return picture.composite([{ input, blend: 'soft-light' }]);
}

/** Returns an image of one colour. */
export const blankRenderer = rendererOf(({ width, height }) =>
  sharp({ create: { width, height, channels: 3, background: '#d8d2c8' } }),
);

/** Returns the first photo, scaled and cropped to the size. */
export const copyRenderer = rendererOf(({ width, height, images }) =>
  sharp(images[0]).autoOrient().resize(width, height, { fit: 'cover' }),
);

/** The same renderer, but it changes a picture everywhere and not only where the mask allows it. */
export function withoutMask(renderer: Renderer): Renderer {
  return {
    ...renderer,
    async render(job, onPartial, signal) {
      const image = await renderer.render({ ...job, mask: undefined }, onPartial, signal);
      // However little the change is, it is everywhere.
      return sharp(image).negate({ alpha: false }).toFormat(job.outputFormat).toBuffer();
    },
  };
}

/** Partial images are the same image. */
function rendererOf(draw: (job: RenderJob) => Sharp): Renderer {
  return {
    async render(job, onPartial, signal) {
      const image = await draw(job).toFormat(job.outputFormat).toBuffer();
      signal.throwIfAborted();
      for (let index = 0; index < job.partialImages; index += 1) onPartial(image);
      return image;
    },
    async close() {},
  };
}
