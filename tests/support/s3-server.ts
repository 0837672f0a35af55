/**
 * The bucket that the tests of `npm run test:s3` use: that of TEST_S3_URL, else one in a container, else one of
 * `../shared/tools/s3-server`, which Go builds once. Without any of them the tests that need a bucket are skipped.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { ProgramNotStarted, startWatchedProgram } from '#local/parent-watchdog.ts';
import { readEnvironment } from '#shared/platform/environment.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { openS3Access } from '#shared/platform/s3-access.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { type BucketLocation, parseStorageUrl } from '#shared/platform/storage-url.ts';
import { containerEngineAnswers, startMinioContainer } from './containers.ts';
import { findFreePort } from './free-port.ts';
import { givenTestStores } from './given-stores.ts';
import type { Store } from './stores.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A bucket, as STORAGE_URL has it, without a prefix; undefined if there is none. */
    s3Bucket: BucketLocation | undefined;
  }
}

const tool = join(rootFolder, '../shared/tools/s3-server');
/** The credentials of the tool; containers get the same. */
const [accessKeyId, secretAccessKey] = ['packshot', 'packshot-secret'];

/** Global set-up of the project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = givenTestStores();
  if (given.s3Url !== undefined) {
    const { s3AccessKeyId: id, s3SecretAccessKey: secret } = given;
    const credentials = id && secret ? { accessKeyId: id, secretAccessKey: secret } : undefined;
    project.provide('s3Bucket', parseStorageUrl(given.s3Url, credentials) as BucketLocation);
    console.log('tests: S3: from TEST_S3_URL');
    return async () => {};
  }
  const server = await start(given.s3Image);
  if (!server) {
    project.provide('s3Bucket', undefined);
    console.log(
      'tests: S3: SKIPPED, because there is no TEST_S3_URL, and neither a container nor a server that Go builds could be started',
    );
    return async () => {};
  }
  const bucket: BucketLocation = {
    kind: 's3',
    bucket: 'packshot-tests',
    prefix: '',
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId, secretAccessKey },
  };
  const { client, request } = openS3Access(bucket);
  await request('', (abortSignal) =>
    client.send(new CreateBucketCommand({ Bucket: bucket.bucket }), { abortSignal }),
  );
  client.destroy();
  project.provide('s3Bucket', bucket);
  console.log(`tests: S3: ${server.source}`);
  return () => server.close();
}

/** Starts a server: in a container, else with the tool. @returns undefined if there is neither */
async function start(image: string): Promise<Store | undefined> {
  if (await containerEngineAnswers()) {
    const container = await startMinioContainer(image, accessKeyId, secretAccessKey).catch(() => undefined);
    if (container) return container;
  }
  if (!existsSync(tool)) return undefined;
  const port = await findFreePort();
  try {
    const server = await startWatchedProgram({
      command: [tool, '--port', String(port)],
      env: readEnvironment(),
      endSignal: 'TERM',
      isReady: (line) => line.startsWith('S3 http'),
    });
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

/** The settings that name a bucket. */
export function bucketSettings({
  bucket,
  prefix,
  endpoint,
  region,
  credentials,
}: BucketLocation): GivenSettings {
  const parameters = new URLSearchParams({ ...(endpoint !== undefined && { endpoint }), region });
  return {
    STORAGE_URL: `s3://${bucket}/${prefix}?${parameters}`,
    ...(credentials && {
      STORAGE_ACCESS_KEY_ID: credentials.accessKeyId,
      STORAGE_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    }),
  };
}
