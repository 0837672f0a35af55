import { readEnvironment } from '#shared/platform/environment.ts';

/** The stores that the TEST_* variables name. */
export interface GivenStores {
  mongodbUrl: string | undefined;
  queueUrl: string | undefined;
  /** Container images, used for a store without a URL. */
  mongoImage: string;
  redisImage: string;
  /** A bucket that the tests may write to, as `STORAGE_URL` has it, and its credentials. */
  s3Url: string | undefined;
  s3AccessKeyId: string | undefined;
  s3SecretAccessKey: string | undefined;
  s3Image: string;
  /** Where the statements on MongoDB are recorded (`npm run explain`); undefined for not at all. */
  statementsFolder: string | undefined;
}

/** Reads the TEST_* variables; `.env.example` lists them. */
export function givenTestStores(): GivenStores {
  const environment = readEnvironment();
  return {
    mongodbUrl: environment.TEST_MONGODB_URL || undefined,
    queueUrl: environment.TEST_QUEUE_URL || undefined,
    mongoImage: environment.TEST_MONGO_IMAGE || 'mongo:8',
    redisImage: environment.TEST_REDIS_IMAGE || 'redis:7-bookworm',
    s3Url: environment.TEST_S3_URL || undefined,
    s3AccessKeyId: environment.TEST_S3_ACCESS_KEY_ID || undefined,
    s3SecretAccessKey: environment.TEST_S3_SECRET_ACCESS_KEY || undefined,
    s3Image: environment.TEST_S3_IMAGE || 'minio/minio',
    statementsFolder: environment.TEST_STATEMENTS_FOLDER || undefined,
  };
}
