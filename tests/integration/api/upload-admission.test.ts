/** Plan, balance and a free upload slot are checked before a byte of the form is read. */
import { randomUUID } from 'node:crypto';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { errorDefinitions } from '#contract';
import { incomingFolder } from '#shared/storage/folder-storage.ts';
import { never, workerContext } from '#tests/support/credits.ts';
import { expectNothingLeft, unfinishedFiles } from '#tests/support/errors.ts';
import type { Answer } from '#tests/support/seller.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';
import { startUpload, test } from './upload-admission-steps.ts';

const codeOf = ({ status, body }: Answer<unknown>) => [
  status,
  (body as { error?: { code: string } }).error?.code,
];

test('a seller without a plan or without images gets a reply before a byte of the form has arrived', async ({
  stack,
}) => {
  const unpaid = await stack.seller({ paid: false });
  const empty = await stack.seller();
  await stack.models.profiles.updateOne({ _id: empty.id }, { $set: { generations_left: 0 } });
  for (const [seller, code] of [
    [unpaid, 'NO_SUBSCRIPTION'],
    [empty, 'NO_CREDITS'],
  ] as const) {
    const upload = await startUpload(stack, seller);
    expect(codeOf(await upload.answer)).toEqual([402, code]);
    // The form, sent all the same, is discarded.
    upload.finish();
    await expectNothingLeft(stack, seller.id);
  }
});

test('a repeated idempotency key gets its first reply even if no images are left', async ({ stack }) => {
  const seller = await stack.seller();
  const key = randomUUID();
  const send = async () => {
    const upload = await startUpload(stack, seller, stack.url, key);
    upload.finish();
    return upload.answer;
  };
  const first = await send();
  expect(first.status).toBe(202);
  await stack.models.profiles.updateOne({ _id: seller.id }, { $set: { generations_left: 1 } });
  expect(codeOf(await (await startUpload(stack, seller)).answer)).toEqual([402, 'NO_CREDITS']);
  expect(await send()).toMatchObject({ status: 202, body: first.body });
});

test('two uploads of a seller are read; a third waits for a slot and is refused if none becomes free', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const [first, second] = [await startUpload(stack, seller), await startUpload(stack, seller)];
  await first.sendHalf();
  await second.sendHalf();
  const refused = await startUpload(stack, seller);
  const answer = await refused.answer;
  expect(codeOf(answer)).toEqual([429, 'TOO_MANY_UPLOADS']);
  expect(answer.headers.get('retry-after')).toBe('10');
  // Polled here and below, because a check of the folder writes a file there for a moment.
  await expect.poll(() => unfinishedFiles(stack)).toHaveLength(2);

  const third = await startUpload(stack, seller);
  third.finish();
  first.finish();
  expect((await first.answer).status).toBe(202);
  expect((await third.answer).status).toBe(202);
  second.abort();
  await second.answer.catch(() => {});
  await expect.poll(() => unfinishedFiles(stack)).toEqual([]);
});

test('a client that disconnects frees its slot, or its place in line, at once', async ({ stack }) => {
  const seller = await stack.seller();
  const disconnected = [await startUpload(stack, seller), await startUpload(stack, seller)];
  for (const upload of disconnected) await upload.sendHalf();
  const inLine = await startUpload(stack, seller);
  for (const upload of [...disconnected, inLine]) {
    upload.abort();
    await upload.answer.catch(() => {});
  }
  for (let count = 0; count < 2; count += 1) {
    const upload = await startUpload(stack, seller);
    upload.finish();
    expect((await upload.answer).status).toBe(202);
  }
  await expect.poll(() => unfinishedFiles(stack)).toEqual([]);
});

test('a server without free slots answers 503', async ({ stack }) => {
  const [ada, bob, cy] = [await stack.seller(), await stack.seller(), await stack.seller()];
  const busy = [await startUpload(stack, ada), await startUpload(stack, ada), await startUpload(stack, bob)];
  for (const upload of busy) await upload.sendHalf();
  const answer = await (await startUpload(stack, cy)).answer;
  expect(codeOf(answer)).toEqual([503, 'UNAVAILABLE']);
  expect((answer.body as { error: { message: string } }).error.message).toBe(errorDefinitions.UNAVAILABLE[1]);
  expect(answer.headers.get('retry-after')).toBe('10');
  for (const upload of busy) upload.finish();
  for (const upload of busy) expect((await upload.answer).status).toBe(202);
});

test('the balance is checked again after waiting for a slot', async ({ stack }) => {
  const seller = await stack.seller();
  const ahead = [await startUpload(stack, seller), await startUpload(stack, seller)];
  for (const upload of ahead) await upload.sendHalf();
  await stack.models.profiles.updateOne({ _id: seller.id }, { $set: { generations_left: 2 } });
  const waiting = await startUpload(stack, seller);
  for (const upload of ahead) upload.finish();
  for (const upload of ahead) expect((await upload.answer).status).toBe(202);
  expect(codeOf(await waiting.answer)).toEqual([402, 'NO_CREDITS']);
});

test('a server that closes does not wait for aborted uploads, but for one in progress', async ({ stack }) => {
  const server = await stack.startServer();
  const seller = await stack.seller();
  const broken = await startUpload(stack, seller, server.url);
  await broken.sendHalf();
  broken.abort();
  await broken.answer.catch(() => {});
  // As long as a timer can be: an aborted upload for which a server waits lets the test run into its limit.
  await server.app.requestsEnded(2 ** 31 - 1);
  const whole = await startUpload(stack, seller, server.url);
  await whole.sendHalf();
  const closed = server.close();
  whole.finish();
  expect((await whole.answer).status).toBe(202);
  await closed;
});

test('upkeep removes upload files that a crashed server left, and none of an upload in progress', async ({
  stack,
}) => {
  const [old, young] = ['old', 'young'].map((name) => join(incomingFolder(stack.storageFolder), name)) as [
    string,
    string,
  ];
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  for (const [path, minutes] of [
    [old, 31],
    [young, 29],
  ] as const) {
    await writeFile(path, 'x');
    await utimes(path, minutesAgo(minutes), minutesAgo(minutes));
  }
  const ages = { ...never, uploadMs: 30 * 60_000 };
  expect(await runUpkeep(workerContext(stack), ages)).toMatchObject({ uploadsSwept: 1 });
  await expect.poll(() => unfinishedFiles(stack)).toEqual(['young']);
  expect(await runUpkeep(workerContext(stack), { ...never, uploadMs: 0 })).toMatchObject({ uploadsSwept: 1 });
});
