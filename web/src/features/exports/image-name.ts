import { type GenerationView, isolateName } from '#contract';

/** What an image is called beside others: its number in their set, or its product. */
export function imageName(view: GenerationView, all: readonly GenerationView[]): string {
  const isSet = all.every(({ set }) => set.id === view.set.id);
  return isSet ? `Image ${view.set.index + 1}` : isolateName(view.productName || view.prompt);
}
