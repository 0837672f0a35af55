/** The contract of storages on a bucket, and what only buckets have. */
import { inject } from 'vitest';
import { openStorage } from '#shared/storage/open-storage.ts';
import { newPrefix } from '#tests/support/s3-server.ts';
import { describeStorage } from '#tests/support/storage-contract.ts';

describeStorage('a bucket', () => openStorage(newPrefix()), inject('s3Bucket') === undefined);
