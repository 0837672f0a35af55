/** Batches as programs send them. */
import { expect } from 'vitest';
import {
  type ErrorCode,
  type ErrorReply,
  errorDefinitions,
  type V1Batch,
  type V1BatchRows,
  type V1CreateBatch,
  type V1Estimate,
  v1BatchPaths,
} from '#contract';
import { giveKey, type Program, programOf } from './api-keys.ts';
import { sha256Of } from './batches.ts';
import { samplePhoto } from './photos.ts';
import type { Answer } from './seller.ts';
import type { TestStackOptions } from './stack.ts';
import { testWithSeller } from './test.ts';

export type BatchProgram = Program<V1Batch & ErrorReply>;

/** Like `testWithSeller`, with a `program` that may do everything for the seller. */
export const testWithProgram = (options: TestStackOptions = {}) =>
  testWithSeller(options).extend(
    'program',
    async ({ stack, seller }): Promise<BatchProgram> => programOf(stack.url, await giveKey(stack, seller)),
  );

type Rows = NonNullable<V1CreateBatch['rows']>;

/** Rows that show the sample photo. @param from the number of the first one */
export async function programRows(
  count: number,
  from = 0,
  details: Partial<Rows[number]> = {},
): Promise<Rows> {
  const photos = [{ sha256: sha256Of(await samplePhoto()), name: 'cup.png' }];
  return Array.from({ length: count }, (_, index) => ({
    sku: `S-${from + index}`,
    prompt: 'On oak',
    photos,
    ...details,
  }));
}

/** Makes a batch whose photo is there. @returns its id */
export async function uploadedByProgram(program: BatchProgram, rows: Rows): Promise<string> {
  const made = await program('POST', v1BatchPaths.batches, { name: 'Autumn', rows });
  if (made.status !== 201) throw new Error(`the batch was refused: ${JSON.stringify(made.body)}`);
  const photo = await samplePhoto();
  const form = new FormData();
  form.append('photos', new File([new Uint8Array(photo)], 'cup.png', { type: 'image/png' }));
  const sent = await program('PUT', v1BatchPaths.photo(made.body.id, sha256Of(photo)), form);
  if (sent.status !== 200) throw new Error(`the photo was refused: ${JSON.stringify(sent.body)}`);
  return made.body.id;
}

/** What a request that spends is answered with. */
export type Spent = V1Batch & V1Estimate & ErrorReply;

/** All rows of a batch of at most one page. */
export const rowsOf = async (program: BatchProgram, id: string) =>
  (await program<V1BatchRows>('GET', v1BatchPaths.rows(id))).body.rows;

/** Expects the error reply of a code, with what is given of it. */
export function expectRefused(
  { status, body }: Answer<unknown>,
  code: ErrorCode,
  expected: { message?: string; field?: string } = {},
): void {
  const { error } = body as Partial<ErrorReply>;
  expect({ status, error }).toMatchObject({
    status: errorDefinitions[code][0],
    error: { code, docs: expect.stringContaining('#errors'), ...expected },
  });
}
