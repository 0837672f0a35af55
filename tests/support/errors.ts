import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type ErrorCode, errorDefinitions, errorReplySchema, namePhoto } from '#contract';
import type { Answer } from './seller.ts';
import type { TestStack } from './stack.ts';

/**
 * Expects exactly the error reply of a code: status, body, content type.
 * @param expected the message if it is not the code's default; the field of a VALIDATION error, whose default message
 *   names it; the file name of the photo that the error is about, if it is not `photo.png`
 */
export function expectError(
  answer: Answer<unknown>,
  code: ErrorCode,
  expected: { message?: string; field?: string; photo?: string } = {},
): void {
  const [status, ownMessage] = errorDefinitions[code];
  const message =
    expected.message ??
    (expected.field === undefined
      ? namePhoto(ownMessage, expected.photo ?? 'photo.png')
      : `The field "${expected.field}" is not valid.`);
  const { requestId, factors } = errorReplySchema.parse(answer.body).error;
  expect(factors !== undefined).toBe(code === 'CODE_REQUIRED');
  const field = expected.field === undefined ? {} : { field: expected.field };
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: { error: { code, message, requestId, ...field, ...(factors && { factors }) } },
  });
  expect(requestId).toMatch(/^[0-9a-f]{32}$/);
  expect(answer.headers.get('x-request-id')).toBe(requestId);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
}

/** A reply of `fetch` as {@link expectError} takes it. */
export async function answerOf(response: Response | Promise<Response>): Promise<Answer<unknown>> {
  const reply = await response;
  return { status: reply.status, headers: reply.headers, body: await reply.json() };
}

/** Expects that a rejected request left no generation, no hold and no file. */
export async function expectNothingLeft(stack: TestStack, sellerId: string): Promise<void> {
  expect(await stack.models.generations.find({ profile: sellerId }).lean()).toEqual([]);
  expect((await stack.models.profiles.findById(sellerId).lean())?.holds).toEqual([]);
  await expectNoStrayFile(stack);
}

/** Expects that no upload is in progress and that every stored folder belongs to a generation or is its set's. */
export async function expectNoStrayFile(stack: TestStack): Promise<void> {
  // Polled, because a check of the folder writes a file there for a moment.
  await expect.poll(() => unfinishedFiles(stack)).toEqual([]);
  expect(await strayFolders(stack)).toEqual([]);
}

/** Stored folders that no generation leads to. */
export async function strayFolders(stack: TestStack): Promise<string[]> {
  const known = await stack.models.generations.distinct('_id');
  const photoSets = await stack.models.generations.distinct('photo_set');
  return [
    ...(await namesIn(stack, 'generations')).filter((name) => !known.includes(name)),
    ...(await namesIn(stack, 'photo-sets')).filter((name) => !photoSets.includes(name)),
  ];
}

/** The files of uploads in progress, and those that are being stored. */
export const unfinishedFiles = (stack: TestStack): Promise<string[]> => namesIn(stack, 'incoming');

async function namesIn(stack: TestStack, folder: string): Promise<string[]> {
  return readdir(join(stack.storageFolder, folder)).catch(() => []);
}
