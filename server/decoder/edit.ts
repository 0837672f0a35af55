import { planeOver, putOnWhite } from '#shared/contract/edit-background.ts';
import type { EditPixels } from '#shared/contract/edit-geometry.ts';
import { applyRecipe } from '#shared/contract/edit-pixels.ts';
import type { EditRecipe } from '#shared/contract/edit-recipe.ts';
import type { DigitalSourceType } from '#shared/contract/export-presets.ts';
import { imageXmp } from '#shared/images/image-xmp.ts';
import { sharp } from '#shared/platform/sharp.ts';
import type { Outcome } from './jobs.ts';
import { outlineProduct, type ProductOutline } from './product-outline.ts';
import { cutOpacity, readPixels } from './read-pixels.ts';
import { failureOf } from './storage-failure.ts';

/** Makes the PNG of an image as edited by a recipe. */
export async function editImage({
  path,
  recipe,
  sourceType,
}: {
  path: string;
  recipe: EditRecipe;
  sourceType: DigitalSourceType;
}): Promise<Outcome<'edit'>> {
  try {
    const { pixels, hasAlpha } = await readPixels(path);
    const product = recipe.whiteBackground ? await productOver(pixels, hasAlpha) : undefined;
    const edited = applyRecipe(pixels, recipe, product);
    const raw = { width: edited.width, height: edited.height, channels: 4 as const };
    const result = sharp(edited.data, { raw });
    if (!hasAlpha || recipe.whiteBackground) result.removeAlpha();
    return { result: await result.withXmp(imageXmp(sourceType)).png().toBuffer() };
  } catch (error) {
    return failureOf(error, path);
  }
}

/** Makes a small grey PNG of where the product of an image is (`ProductPlane`): the editor's preview needs it. */
export async function findProduct({ path }: { path: string }): Promise<Outcome<'findProduct'>> {
  try {
    const { pixels, hasAlpha } = await readPixels(path);
    const { data, width, height } = (await outlineOf(pixels, hasAlpha)).plane;
    const image = sharp(data, { raw: { width, height, channels: 1 } }).toColourspace('b-w');
    return { result: await image.png().toBuffer() };
  } catch (error) {
    return failureOf(error, path);
  }
}

async function productOver(pixels: EditPixels, hasAlpha: boolean): Promise<EditPixels> {
  return planeOver((await outlineOf(pixels, hasAlpha)).plane, pixels.width, pixels.height);
}

function outlineOf(pixels: EditPixels, hasAlpha: boolean): Promise<ProductOutline> {
  const onWhite = { ...pixels, data: pixels.data.slice() };
  putOnWhite(onWhite.data);
  return outlineProduct(onWhite, hasAlpha ? cutOpacity(pixels) : undefined);
}
