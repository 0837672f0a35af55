import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import type { S3Access } from './s3-access.ts';
import { isMissingObject, isTaken } from './s3-error.ts';
import { type MarkerPlace, markerKey } from './storage-marker.ts';

/** The marker of a bucket or of a prefix in it: an object. */
export function markerInBucket({ client, bucket, address, nameOf, request }: S3Access): MarkerPlace {
  const object = { Bucket: bucket, Key: nameOf(markerKey) };
  return {
    storage: address('').replace(/\/$/, ''),
    marker: address(markerKey),
    question: 'has it been copied from another storage completely?',
    read: () =>
      request(markerKey, async (abortSignal) => {
        try {
          const { Body } = await client.send(new GetObjectCommand(object), { abortSignal });
          return (await Body?.transformToString())?.trim() || undefined;
        } catch (error) {
          if (isMissingObject(error)) return undefined;
          throw error;
        }
      }),
    create: (marker) =>
      request(markerKey, async (abortSignal) => {
        try {
          const put = { ...object, Body: `${marker}\n`, ContentType: 'text/plain', IfNoneMatch: '*' };
          await client.send(new PutObjectCommand(put), { abortSignal });
          return true;
        } catch (error) {
          if (isTaken(error)) return false;
          throw error;
        }
      }),
    has: (key) =>
      request(key, async (abortSignal) => {
        try {
          await client.send(new HeadObjectCommand({ Bucket: bucket, Key: nameOf(key) }), { abortSignal });
          return true;
        } catch (error) {
          if (isMissingObject(error)) return false;
          throw error;
        }
      }),
  };
}
