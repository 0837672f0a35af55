import { setImmediate as turn } from 'node:timers/promises';
import type { Config } from '#shared/platform/config.ts';
import { sharp } from '#shared/platform/sharp.ts';
import { type Provider, ProviderError, type ProviderRequest, type ProviderResult } from '../provider.ts';

/** Part of the width and height that the photo takes: an image that equals its photo would not pass the worker's checks. */
const photoPart = 0.6;

/**
 * A provider without a service: the image is the first photo in front of one colour, which the prompt and the seed
 * decide. For tests of what every provider has to do, and as a pattern for the next one.
 */
export function startEcho({ previews }: Pick<Config['image'], 'previews'>): Provider {
  const closing = new AbortController();
  return {
    async ready() {},
    async edit({ signal, onAccepted, onPreview, ...input }) {
      const began = performance.now();
      const stopped = AbortSignal.any([signal, closing.signal]);
      const unlessStopped = async () => {
        await turn();
        if (stopped.aborted) throw new ProviderError('aborted', 'the call was stopped');
      };
      await unlessStopped();
      const image = await draw(input);
      onAccepted(null);
      for (let index = 0; index < previews; index += 1) {
        await unlessStopped();
        // A copy: who gets a preview frees its memory.
        onPreview(Buffer.from(image), index);
      }
      await unlessStopped();
      return { image, requestId: null, milliseconds: Math.round(performance.now() - began), usage: null };
    },
    modelProblem: async () => null,
    async close() {
      closing.abort();
    },
  };
}

type Drawn = Omit<ProviderRequest, 'signal' | 'onAccepted' | 'onPreview'>;

/** @throws ProviderError `photos` when the first photo cannot be read */
async function draw({
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
