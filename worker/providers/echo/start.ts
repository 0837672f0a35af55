import { setImmediate as turn } from 'node:timers/promises';
import type { Config } from '#shared/platform/config.ts';
import { type Provider, ProviderError } from '../provider.ts';
import { draw } from './draw.ts';

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
