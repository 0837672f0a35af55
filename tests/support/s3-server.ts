/**
 * The bucket that the tests of `npm run test:full -- --project s3` use: that of TEST_S3_URL, else one in a container, else one of
 * `../shared/tools/s3-server`, which Go builds once. Without any of them the tests that need a bucket are skipped.
 */
import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { ProgramNotStarted } from '#local/parent-watchdog.ts';
import { givenTestStores } from '#scripts/test/given-stores.ts';
import type { BucketLocation } from '#shared/platform/storage-url.ts';
import { givenBucket, makeBucket } from '#tests/support/s3/bucket.ts';
import { hasS3Tool, startS3Tool, toolCredentials } from '#tests/support/s3/server-tool.ts';
import { containerEngineAnswers, startMinioContainer } from './containers.ts';
import { findFreePort } from './free-port.ts';
import type { Store } from './local-stores.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A bucket, as STORAGE_URL has it, without a prefix; undefined if there is none. */
    s3Bucket: BucketLocation | undefined;
  }
}

/** Global set-up of the project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = givenBucket();
  if (given) {
    project.provide('s3Bucket', given);
    console.log('tests: S3: from TEST_S3_URL');
    return async () => {};
  }
  const server = await start(givenTestStores().s3Image);
  if (!server) {
    project.provide('s3Bucket', undefined);
    console.log(
      'tests: S3: SKIPPED, because there is no TEST_S3_URL, and neither a container nor a server that Go builds could be started',
    );
    return async () => {};
  }
  project.provide('s3Bucket', await makeBucket(server.url, toolCredentials));
  console.log(`tests: S3: ${server.source}`);
  return () => server.close();
}

/** Starts a server: in a container, else with the tool. @returns undefined if there is neither */
async function start(image: string): Promise<Store | undefined> {
  if (await containerEngineAnswers()) {
    const { accessKeyId, secretAccessKey } = toolCredentials;
    const container = await startMinioContainer(image, accessKeyId, secretAccessKey).catch(() => undefined);
    if (container) return container;
  }
  if (!hasS3Tool()) return undefined;
  const port = await findFreePort();
  try {
    const server = await startS3Tool(port);
    return {
      url: `http://127.0.0.1:${port}`,
      source: 'versitygw of ../shared/tools/s3-server',
      close: () => server.close(),
    };
  } catch (error) {
    if (!(error instanceof ProgramNotStarted)) throw error;
    console.log(`tests: S3: ${error.message}`);
    return undefined;
  }
}

/** A storage of its own for a test: a new prefix in the bucket. @throws where there is no bucket */
export function newPrefix(): BucketLocation {
  const bucket = inject('s3Bucket');
  if (!bucket) throw new Error('there is no bucket');
  return { ...bucket, prefix: `${bucket.prefix}${randomUUID()}/` };
}
