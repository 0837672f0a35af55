import { type GenerationView, isolateName } from '#contract';

/** What a finished image shows, for those who do not see it. */
export function altOf({ productName, prompt }: GenerationView): string {
  return `${isolateName(productName) || 'Your product'}: ${isolateName(prompt)}`;
}
