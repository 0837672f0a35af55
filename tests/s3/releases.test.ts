/** The assets of releases on a bucket. */
import { inject } from 'vitest';
import { openStorage } from '#shared/storage/open-storage.ts';
import { describeReleases } from '#tests/support/releases-contract.ts';
import { newPrefix } from '#tests/support/s3-server.ts';

describeReleases('a bucket', () => openStorage(newPrefix()), inject('s3Bucket') === undefined);
