/** The local renderer in a process of its own, with jobs as the image server would create them from a worker's request. */
import { imageSizes } from '#contract';
import { createProcessRenderer } from '#local/openai/process-renderer.ts';
import type { RenderJob } from '#local/openai/renderer.ts';

export interface SampleRenderer {
  /** Renders a PNG of 1024 × 1024. @param details of the job that differ */
  render(images: Buffer[], prompt: string, details?: Partial<RenderJob>): Promise<Buffer>;
  close(): Promise<void>;
}

export function startRenderer(): SampleRenderer {
  const renderer = createProcessRenderer();
  const never = new AbortController().signal;
  const usual = {
    ...imageSizes.square,
    outputFormat: 'png',
    outputCompression: 100,
    background: 'opaque',
    variant: 0,
    partialImages: 0,
  } as const;
  return {
    render: (images, prompt, details) =>
      renderer.render({ ...usual, images, prompt, ...details }, () => {}, never),
    close: () => renderer.close(),
  };
}
