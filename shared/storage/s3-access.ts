import { setTimeout as wait } from 'node:timers/promises';
import { S3Client } from '@aws-sdk/client-s3';
import type { BucketLocation } from '#shared/platform/storage-url.ts';
import { mayPass, s3ErrorOf } from './s3-error.ts';

/** Limits of requests to an S3 service. */
export interface S3Limits {
  /** How long connecting may take, in ms. */
  connectMs: number;
  /** How long a reply may take, and the pause between two parts of a body, in ms. */
  replyMs: number;
  /** How often a request is sent before it has failed. */
  tries: number;
  /** Pause before the second try, in ms; doubles each time. */
  pauseMs: number;
}

const usualLimits: S3Limits = { connectMs: 3_000, replyMs: 10_000, tries: 3, pauseMs: 200 };

/** Sockets to the service at once: each image that is being sent to a browser holds one. */
const maxSockets = 500;

/** A bucket, and how requests to it are sent. */
export interface S3Access {
  client: S3Client;
  bucket: string;
  limits: S3Limits;
  /** The address of a key as operators know it. */
  address(key: string): string;
  /** The name of a key in the bucket. */
  nameOf(key: string): string;
  /** The key of a name in the bucket. */
  keyOf(name: string): string;
  /**
   * Sends a request, and again if it may succeed a moment later: the bucket is busy, or does not answer in time.
   * @param key for the message
   * @param send gets the signal that ends a try, and a function to call whenever a part of a long body was sent
   * @throws StorageError
   */
  request<Reply>(
    key: string,
    send: (signal: AbortSignal, progress: () => void) => Promise<Reply>,
  ): Promise<Reply>;
}

/** Opens the access to a bucket. Nothing is sent yet. */
export function openS3Access(location: BucketLocation, limits: S3Limits = usualLimits): S3Access {
  const { bucket, prefix, endpoint, region, credentials } = location;
  const client = new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
    // `request` tries again: bodies that are streams have to be opened again, which the client cannot.
    maxAttempts: 1,
    // Not every service knows the checksums that the client would add. The length and TLS protect a body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Waiting for a service's consent costs a round trip, and six seconds where the service does not know it.
    expectContinueHeader: false,
    // What fails is thrown.
    logger: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
    requestHandler: {
      connectionTimeout: limits.connectMs,
      httpAgent: { keepAlive: true, maxSockets },
      httpsAgent: { keepAlive: true, maxSockets },
    },
  });
  const address = (key: string) => `s3://${bucket}/${prefix}${key}`;
  return {
    client,
    bucket,
    limits,
    address,
    nameOf: (key) => `${prefix}${key}`,
    keyOf: (name) => name.slice(prefix.length),
    async request(key, send) {
      for (let tries = 1, pauseMs = limits.pauseMs; ; tries += 1, pauseMs *= 2) {
        const giveUp = new AbortController();
        const timer = setTimeout(() => giveUp.abort(), limits.replyMs);
        try {
          return await send(giveUp.signal, () => timer.refresh());
        } catch (error) {
          if (tries >= limits.tries || !mayPass(error)) throw s3ErrorOf(error, address(key));
        } finally {
          clearTimeout(timer);
        }
        // Between a half and the whole of it, so that processes do not try again at the same time.
        await wait(pauseMs * (0.5 + Math.random() / 2));
      }
    },
  };
}
