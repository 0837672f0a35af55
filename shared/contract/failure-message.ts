import { type GenerationFailureCode, generationFailures } from './errors.ts';

/** What the image provider's moderation says about a request that it refused, as far as it says something. */
export interface Moderation {
  /** What was refused: the scene and the photos, or the image that was made of them. */
  stage: 'input' | 'output' | null;
  /** In the provider's words, such as `sexual` or `self-harm/intent`. */
  categories: string[];
}

/** What a category is called towards sellers: the part of its name before a slash decides. Others are not named. */
export const categoryTexts: Readonly<Record<string, string>> = {
  harassment: 'harassment',
  hate: 'hate',
  illicit: 'illegal activities',
  'self-harm': 'self-harm',
  sexual: 'sexual content',
  violence: 'violence',
};

/** Why a generation failed, as its seller reads it. */
export function failureMessage({
  code,
  moderation,
}: {
  code: GenerationFailureCode;
  moderation?: Moderation | null | undefined;
}): string {
  if (code !== 'CONTENT_REFUSED' || !moderation) return generationFailures[code];
  const texts = new Set(
    moderation.categories.flatMap((category) => categoryTexts[category.split('/')[0]!.toLowerCase()] ?? []),
  );
  const why = texts.size > 0 ? ` (${[...texts].join(', ')})` : '';
  return moderation.stage === 'output'
    ? `OpenAI API error: the finished image was declined by its content policy${why}. Please change the scene or a photo and try again.`
    : generationFailures.CONTENT_REFUSED.replace(' by its content policy', `$&${why}`);
}
