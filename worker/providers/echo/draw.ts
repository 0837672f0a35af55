import { sharp } from '#shared/platform/sharp.ts';
import { ProviderError, type ProviderRequest, type ProviderResult } from '../provider.ts';

/** Part of the width and height that the photo takes: an image that equals its photo would not pass the worker's checks. */
const photoPart = 0.6;

type Drawn = Pick<ProviderRequest, 'photos' | 'prompt' | 'seed' | 'width' | 'height' | 'background'>;

/**
 * Draws the first photo in front of one colour, which prompt and seed decide.
 * @returns a PNG
 * @throws ProviderError `photos` when the first photo cannot be read
 */
export async function draw({
  photos,
  prompt,
  seed,
  width,
  height,
  background,
}: Drawn): Promise<ProviderResult['image']> {
  const [first] = photos;
  if (!first) throw new ProviderError('rejected', 'a request needs a photo');
  const colour = colourOf(`${prompt} ${seed ?? ''}`, background === 'transparent' ? 0 : 1);
  try {
    const photo = await sharp(await first.arrayBuffer())
      .resize(Math.round(width * photoPart), Math.round(height * photoPart), { fit: 'inside' })
      .png()
      .toBuffer();
    return await sharp({ create: { width, height, channels: 4, background: colour } })
      .composite([{ input: photo }])
      .png()
      .toBuffer();
  } catch (cause) {
    throw new ProviderError('photos', 'the first photo cannot be read', { cause });
  }
}

/** The same colour for the same text. */
function colourOf(text: string, alpha: number) {
  const sum = [...text].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 0xff_ff_ff, 7);
  return { r: sum >> 16, g: (sum >> 8) & 0xff, b: sum & 0xff, alpha };
}
