import { StorageError } from './storage-error.ts';

/** An error of the S3 client or of its connection, with what it may have. */
interface S3Failure extends Error {
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

const statusOf = (error: unknown) => (error as S3Failure).$metadata?.httpStatusCode;
const isTimeout = (error: Error) => error.name === 'AbortError' || error.name === 'TimeoutError';

/** Whether an error says that an object does not exist. A request without a reply body says the same of a bucket. */
export function isMissingObject(error: unknown): boolean {
  return error instanceof Error && statusOf(error) === 404 && ['NoSuchKey', 'NotFound'].includes(error.name);
}

/** Whether an error says that a conditional put found an object. */
export const isTaken = (error: unknown) => {
  const status = statusOf(error);
  // 409: another conditional put of the same key is being executed.
  return status === 412 || status === 409;
};

/** Whether the same request may succeed a moment later. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof StorageError) return false;
  const status = statusOf(error);
  if (status !== undefined) return status >= 500 || status === 429 || status === 408;
  // Without a status there was no reply: no connection, or it broke. Missing credentials have no status either.
  return isTimeout(error) || (error as S3Failure).code !== undefined;
}

/**
 * The StorageError for an error of the S3 client. Its message is for operators and has no secret.
 * @param address of the object or of the bucket
 */
export function s3ErrorOf(error: unknown, address: string): StorageError {
  if (error instanceof StorageError) return error;
  const failure = error instanceof Error ? error : new Error(String(error));
  const [code, text] = describe(failure);
  // Without the client's error when there was a reply: it repeats the whole request and its signature.
  const cause = statusOf(error) === undefined ? error : undefined;
  return new StorageError(code, address, `${address}: ${text}`, cause);
}

/** @returns a code and a sentence without full stop */
function describe(error: S3Failure): [code: string, text: string] {
  const { name } = error;
  const status = statusOf(error);
  if (name === 'NoSuchBucket')
    return ['NO_BUCKET', 'there is no such bucket: correct STORAGE_URL, or make it'];
  if (name === 'CredentialsProviderError') {
    return [
      'NO_CREDENTIALS',
      "there are no credentials: set STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY, or those of AWS's SDK",
    ];
  }
  if (
    status === 301 ||
    name === 'AuthorizationHeaderMalformed' ||
    name === 'IllegalLocationConstraintException'
  ) {
    return ['WRONG_REGION', 'the bucket is in another region: correct region= in STORAGE_URL'];
  }
  // Some services answer 404 to an unknown access key.
  if (status === 401 || status === 403 || /AccessKeyId|UserNotFound/.test(name)) {
    // A reply without a body has no name.
    const reason = /^[A-Z][A-Za-z]+$/.test(name) && !name.startsWith('Unknown') ? ` (${name})` : '';
    return [
      'ACCESS_DENIED',
      `the storage refuses the credentials${reason}: check STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY and what they permit`,
    ];
  }
  if (isTimeout(error)) return ['TIMEOUT', 'the storage does not answer in time'];
  if (status !== undefined) {
    const code = status >= 500 || status === 429 ? 'BUSY' : 'REFUSED';
    return [code, `the storage answers ${status} (${name}): ${error.message}`];
  }
  if (error.code !== undefined) {
    return [
      error.code,
      `the storage cannot be reached: ${error.message}. Is endpoint= in STORAGE_URL right?`,
    ];
  }
  return ['UNKNOWN', error.message];
}
