import { readEnvironment } from '#shared/platform/environment.ts';

/** The stores that the TEST_* variables name. */
export interface GivenStores {
  mongodbUrl: string | undefined;
  queueUrl: string | undefined;
  /** Container images, used for a store without a URL. */
  mongoImage: string;
  redisImage: string;
}

/** Reads the TEST_* variables; `.env.example` lists them. */
export function givenTestStores(): GivenStores {
  const environment = readEnvironment();
  return {
    mongodbUrl: environment.TEST_MONGODB_URL || undefined,
    queueUrl: environment.TEST_QUEUE_URL || undefined,
    mongoImage: environment.TEST_MONGO_IMAGE || 'mongo:8',
    redisImage: environment.TEST_REDIS_IMAGE || 'redis:7-bookworm',
  };
}
