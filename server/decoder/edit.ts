import { applyRecipe } from '#shared/contract/edit-pixels.ts';
import type { EditRecipe } from '#shared/contract/edit-recipe.ts';
import { sharp } from '#shared/platform/sharp.ts';
import type { Outcome } from './jobs.ts';
import { readPixels } from './read-pixels.ts';
import { storageFailure } from './storage-failure.ts';

/** Makes the PNG of an image as edited by a recipe. */
export async function editImage({
  path,
  recipe,
}: {
  path: string;
  recipe: EditRecipe;
}): Promise<Outcome<'edit'>> {
  try {
    const { pixels, hasAlpha } = await readPixels(path);
    const edited = applyRecipe(pixels, recipe);
    const raw = { width: edited.width, height: edited.height, channels: 4 as const };
    const result = sharp(edited.data, { raw });
    if (!hasAlpha || recipe.whiteBackground) result.removeAlpha();
    return { result: await result.png().toBuffer() };
  } catch (error) {
    const failed = error instanceof Error ? error.message : String(error);
    return storageFailure(error, path) ?? { failed };
  }
}
