/** Shared by the tests of the export. */
import { unzipSync } from 'fflate';
import { expect } from 'vitest';
import { askForExport } from '#tests/support/account.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';

export const test = testWithStack();

export type Files = Record<string, Uint8Array>;

export async function download(
  stack: TestStack,
  seller: Seller,
  credentials: { code?: string } = {},
): Promise<{ reply: Response; files: Files }> {
  const headers = { authorization: `Bearer ${seller.token}` };
  const reply = await fetch(stack.url + (await askForExport(seller, credentials)), { headers });
  expect(reply.status).toBe(200);
  return { reply, files: unzipSync(new Uint8Array(await reply.arrayBuffer())) };
}

export async function makeGeneration(
  stack: TestStack,
  seller: Seller,
  productName?: string,
): Promise<string> {
  const window = await seller.openWindow();
  const { id } = await seller.submit(productName === undefined ? {} : { productName });
  await window.untilEnded(id);
  window.close();
  await expect
    .poll(async () => (await stack.models.generations.findById(id).lean())?.settlement_due)
    .toBeUndefined();
  return id;
}
