/** Images of sellers, and what their files would be. */
import { expect } from 'vitest';
import { type ExportCheck, paths } from '#contract';
import { type PictureName, pictureOf, exportedName as productName } from '#tests/support/export-pictures.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';

/** Gives the seller an image of a quarter of the usual size. @returns its row */
export async function makeImage(stack: TestStack, seller: Seller, picture: PictureName) {
  return insertImage(stack, seller, { form: { productName }, file: await pictureOf(picture, 0.25) });
}

export const queryOf = (query: Record<string, string>) => `?${new URLSearchParams(query)}`;

export async function check(seller: Seller, query: Record<string, string>): Promise<ExportCheck[]> {
  const { status, body } = await seller.request<{ files: ExportCheck[] }>(
    paths.exportChecks + queryOf(query),
  );
  expect(status).toBe(200);
  return body.files;
}
