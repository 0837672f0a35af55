/** Buckets for tests and campaigns. */
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { givenTestStores } from '#scripts/test/given-stores.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { type BucketLocation, parseStorageUrl } from '#shared/platform/storage-url.ts';
import { openS3Access } from '#shared/storage/s3-access.ts';

/** The bucket of TEST_S3_URL, or undefined. */
export function givenBucket(): BucketLocation | undefined {
  const { s3Url, s3AccessKeyId, s3SecretAccessKey } = givenTestStores();
  if (s3Url === undefined) return undefined;
  const credentials =
    s3AccessKeyId && s3SecretAccessKey
      ? { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey }
      : undefined;
  return parseStorageUrl(s3Url, credentials) as BucketLocation;
}

/** Makes a bucket. @param endpoint address of the service */
export async function makeBucket(
  endpoint: string,
  credentials: NonNullable<BucketLocation['credentials']>,
): Promise<BucketLocation> {
  const location: BucketLocation = {
    kind: 's3',
    bucket: 'packshot-tests',
    prefix: '',
    endpoint,
    region: 'us-east-1',
    credentials,
  };
  const { client, request } = openS3Access(location);
  await request('', (abortSignal) =>
    client.send(new CreateBucketCommand({ Bucket: location.bucket }), { abortSignal }),
  );
  client.destroy();
  return location;
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
