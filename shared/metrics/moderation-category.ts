import { categoryTexts } from '#contract';

/** The categories by which refusals are counted. `other`: one that is not known here; `unknown`: the provider named none. */
export const moderationCategories = [...Object.keys(categoryTexts), 'other', 'unknown'];

/** The category by which a refusal is counted: the part of its name before a slash. @param name in the provider's words */
export function moderationCategory(name: string): string {
  const category = name.split('/')[0]!.toLowerCase();
  return Object.hasOwn(categoryTexts, category) ? category : 'other';
}
