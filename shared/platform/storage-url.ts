import { fileURLToPath } from 'node:url';
import { isOrigin } from './is-origin.ts';

/** A folder that every server and worker can access. */
interface FolderLocation {
  kind: 'file';
  folder: string;
}

/** A bucket of an S3 service, or what is below a prefix in it. */
export interface BucketLocation {
  kind: 's3';
  bucket: string;
  /** Begins every key; empty, or ends with a slash. */
  prefix: string;
  /** Origin of a service that is not AWS's. */
  endpoint: string | undefined;
  region: string;
  /** Without them, those that AWS's SDK finds. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
}

/** Where photos and images are stored: what `STORAGE_URL` names. */
export type StorageLocation = FolderLocation | BucketLocation;

/** A storage URL is not valid. The message is for the operator, and repeats nothing of the URL that may be secret. */
export class StorageUrlError extends Error {
  override name = 'StorageUrlError';
}

/**
 * Parses a storage URL: `file:/folder`, or `s3://bucket/prefix?endpoint=…&region=…`. The prefix may be absent, and so may
 * the endpoint (AWS's) or the region of a service with an endpoint.
 * @param credentials for a bucket
 * @throws StorageUrlError that says which part is wrong
 */
export function parseStorageUrl(text: string, credentials?: BucketLocation['credentials']): StorageLocation {
  if (text.startsWith('file:')) return { kind: 'file', folder: folderOf(text) };
  if (text.startsWith('s3:')) return bucketOf(text, credentials);
  throw new StorageUrlError('must begin with file: or s3://');
}

function folderOf(text: string): string {
  // `file:images` and `file:./images` would be read as folders of the root.
  if (!/^file:\//.test(text))
    throw new StorageUrlError('must name an absolute folder, as in file:/var/packshot');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.host !== '') throw new StorageUrlError('must name no host: file:/folder or file:///folder');
  if (url.search || url.hash)
    throw new StorageUrlError('has a ? or #: in a name of a folder they are %3F and %23');
  if (url.pathname === '/') throw new StorageUrlError('must name a folder');
  try {
    return fileURLToPath(url);
  } catch {
    throw new StorageUrlError('has a wrong % in the name of the folder');
  }
}

const s3Form = 's3://bucket/prefix?endpoint=https://host&region=name';

function bucketOf(text: string, credentials: BucketLocation['credentials']): BucketLocation {
  if (!text.startsWith('s3://') || !URL.canParse(text))
    throw new StorageUrlError(`must have the form ${s3Form}`);
  const { username, password, hostname: bucket, port, pathname, searchParams, hash } = new URL(text);
  if (username || password) {
    throw new StorageUrlError(
      'must have no name or password: set STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY',
    );
  }
  if (port)
    throw new StorageUrlError('must have no port after the bucket: it belongs to endpoint=http://host:port');
  if (hash) throw new StorageUrlError('must have no #');
  if (bucket === '') throw new StorageUrlError(`names no bucket: its form is ${s3Form}`);
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new StorageUrlError('has a wrong bucket: a name has 3 to 63 of a-z, 0-9, . and -');
  }
  const prefix = pathname.replace(/^\/|\/$/g, '');
  if (prefix !== '' && !/^[\w!.*'()-]+(?:\/[\w!.*'()-]+)*$/.test(prefix)) {
    throw new StorageUrlError(
      "has a wrong prefix: folders of letters, digits and !_.*'()- with one / between them",
    );
  }
  const { endpoint, region } = parametersOf(searchParams);
  return {
    kind: 's3',
    bucket,
    prefix: prefix && `${prefix}/`,
    endpoint: endpoint && new URL(endpoint).origin,
    region,
    credentials,
  };
}

function parametersOf(parameters: URLSearchParams): Pick<BucketLocation, 'endpoint' | 'region'> {
  for (const name of parameters.keys()) {
    if (name !== 'endpoint' && name !== 'region') {
      const shown = /^[a-z_-]{1,24}$/i.test(name) ? ` (${name})` : '';
      throw new StorageUrlError(`has a parameter other than endpoint and region${shown}`);
    }
    if (parameters.getAll(name).length > 1) throw new StorageUrlError(`has ${name} more than once`);
  }
  const endpoint = parameters.get('endpoint') ?? undefined;
  if (endpoint !== undefined && !isOrigin(endpoint)) {
    throw new StorageUrlError(
      'has a wrong endpoint: http:// or https:// with a host, without a path or password',
    );
  }
  const region = parameters.get('region') ?? (endpoint === undefined ? undefined : 'us-east-1');
  if (region === undefined)
    throw new StorageUrlError('needs region=… (of the bucket), or the endpoint of another service');
  if (!/^[a-z0-9-]{1,40}$/i.test(region))
    throw new StorageUrlError('has a wrong region: a name such as eu-central-1');
  return { endpoint, region };
}
