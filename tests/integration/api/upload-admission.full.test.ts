/** A server process that is told to end while it reads an upload. */
import { expect } from 'vitest';
import { startUpload, test } from './upload-admission-steps.ts';

test('SIGTERM: a server process answers the upload in progress, then exits with 0', async ({ stack }) => {
  const server = await stack.startServerProcess();
  const seller = await stack.seller({ url: server.url! });
  // Starts the decoder: a slow machine might take the time that requests have to end.
  await seller.submit();
  const upload = await startUpload(stack, seller, server.url);
  await upload.sendHalf();
  const exitCode = server.terminate();
  upload.finish();
  expect((await upload.answer).status).toBe(202);
  expect(await exitCode).toBe(0);
});
