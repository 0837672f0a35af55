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
  /** Where the requests to Stripe are recorded, or read by the project `stripe-mock`; undefined for not at all. */
  stripeRequestsFolder: string | undefined;
}

/** What the settings of the tests mean, and their defaults. */
export const testSettings = {
  TEST_MONGODB_URL: { description: 'MongoDB to test against.' },
  TEST_QUEUE_URL: { description: 'Queue to test against.' },
  TEST_MONGO_IMAGE: { description: 'Container image of MongoDB.', default: 'mongo:8' },
  TEST_REDIS_IMAGE: { description: 'Container image of Redis.', default: 'redis:7-bookworm' },
  TEST_S3_URL: { description: 'A bucket for the tests on S3, as in `STORAGE_URL`.' },
  TEST_S3_ACCESS_KEY_ID: { description: 'Access key of that bucket.' },
  TEST_S3_SECRET_ACCESS_KEY: { description: 'Its secret.' },
  TEST_S3_IMAGE: { description: 'Container image of an S3 server.', default: 'minio/minio' },
  TEST_MACHINE_FACTOR: {
    description:
      'How many times as slow as the machine of the measured figures this one is; measured unless set.',
  },
  TEST_STATEMENTS_FOLDER: {
    description:
      'A folder in which the tests record the statements on MongoDB, for `npm run explain -- --recorded folder`.',
  },
  TEST_STRIPE_REQUESTS_FOLDER: {
    description:
      'A folder in which the tests record their requests to Stripe, for `npm run test:full -- --project stripe-mock`.',
  },
} as const satisfies Record<string, { description: string; default?: string }>;

/** Reads the TEST_* variables. */
export function givenTestStores(): GivenStores {
  const environment = readEnvironment();
  const read = (name: keyof typeof testSettings) => environment[name] || undefined;
  return {
    mongodbUrl: read('TEST_MONGODB_URL'),
    queueUrl: read('TEST_QUEUE_URL'),
    mongoImage: read('TEST_MONGO_IMAGE') ?? testSettings.TEST_MONGO_IMAGE.default,
    redisImage: read('TEST_REDIS_IMAGE') ?? testSettings.TEST_REDIS_IMAGE.default,
    s3Url: read('TEST_S3_URL'),
    s3AccessKeyId: read('TEST_S3_ACCESS_KEY_ID'),
    s3SecretAccessKey: read('TEST_S3_SECRET_ACCESS_KEY'),
    s3Image: read('TEST_S3_IMAGE') ?? testSettings.TEST_S3_IMAGE.default,
    statementsFolder: read('TEST_STATEMENTS_FOLDER'),
    stripeRequestsFolder: read('TEST_STRIPE_REQUESTS_FOLDER'),
  };
}
