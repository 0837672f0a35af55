import { defaultOptions, type ImageCapabilities, imageSizeOf } from '#contract';
import type { StudioOptions } from '#web/lib/studio-options.ts';

/** What the image service and the seller's plan allow. */
export interface OptionLimits {
  capabilities: ImageCapabilities;
  /** Whether the plan includes 2048 × 2048. */
  mayUse2k: boolean;
  /** Whether the plan includes changing only a marked area. */
  mayBrush: boolean;
  /** Images that the seller can still make; null without a limit. */
  imagesLeft: number | null;
}

/** The options, with the default in place of what is not available now, such as a size of an earlier plan. */
export function usableOptions(
  options: StudioOptions,
  { capabilities, mayUse2k, imagesLeft }: Omit<OptionLimits, 'mayBrush'>,
): StudioOptions {
  const size = imageSizeOf(options.width, options.height);
  const sizeUsable = size && capabilities.sizes.includes(size) && (size !== 'square-2k' || mayUse2k);
  const { width, height, background } = defaultOptions;
  return {
    ...options,
    numImages: Math.max(1, Math.min(options.numImages, imagesLeft ?? options.numImages)),
    ...(!sizeUsable && { width, height }),
    ...(!capabilities.transparentBackground && { background }),
    useSeed: options.useSeed && capabilities.seed,
  };
}
