import { GetObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { BucketLocation } from '#shared/platform/storage-url.ts';
import { openS3Access, type S3Access } from './s3-access.ts';
import { s3ErrorOf } from './s3-error.ts';
import type { PresignedAddresses } from './storage.ts';

/** The addresses signed within this time are the same, so that browsers can cache what they get there; in s. */
const sameForSeconds = 300;

/** Addresses at which browsers get the objects of a bucket. Nothing is sent to the service for them. */
export async function openPresigned(
  { client, bucket, nameOf, address }: S3Access,
  location: BucketLocation,
): Promise<PresignedAddresses> {
  // With credentials that are not asked for yet: an address of the service shows its origin.
  const credentials = { accessKeyId: 'unused', secretAccessKey: 'unused' };
  const unused = openS3Access({ ...location, credentials }).client;
  const shown = await getSignedUrl(unused, new GetObjectCommand({ Bucket: bucket, Key: 'unused' }));
  unused.destroy();
  return {
    origin: new URL(shown).origin,
    async of(key, { type, disposition, cacheControl }) {
      const seconds = Date.now() / 1_000;
      const command = new GetObjectCommand({
        Bucket: bucket,
        Key: nameOf(key),
        ResponseContentType: type,
        ResponseContentDisposition: disposition,
        ResponseCacheControl: cacheControl,
      });
      try {
        return await getSignedUrl(client, command, {
          signingDate: new Date((seconds - (seconds % sameForSeconds)) * 1_000),
          expiresIn: 2 * sameForSeconds,
        });
      } catch (error) {
        throw s3ErrorOf(error, address(key));
      }
    },
  };
}
