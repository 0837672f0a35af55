/** The stack that a chaos campaign runs on: what a fault can do to each of its parts. */
import type { MailClient } from '#local/mail/control-client.ts';
import type { ImageServerControlClient } from '#local/openai/control-client.ts';
import type { StripeControlClient } from '#local/stripe/control-client.ts';
import type { Config } from '#shared/platform/config.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import type { TcpProxy } from './tcp-proxy.ts';

type ProgramName = 'server-1' | 'server-2' | 'worker-1' | 'worker-2';
type ServiceName = 'mongo' | 'queue' | 'images' | 'stripe' | 'mail';

/** How a process is started again. */
interface StartOptions {
  /** Settings that this start has in addition; for servers and workers. */
  settings?: GivenSettings;
  /** Modules that are loaded before the program (`node --import`), as absolute paths. */
  imports?: readonly string[];
}

/** One process of the stack. It has the same name and address after a restart. */
interface ChaosProcess {
  name: ProgramName | ServiceName;
  /** Its process id now. */
  readonly pid: number;
  readonly isRunning: boolean;
  /** Sends SIGKILL to it and its children; resolves when it has ended. */
  kill(): Promise<void>;
  /** Sends SIGTERM; resolves when it has ended, at the latest after its time to end. */
  terminate(): Promise<void>;
  /** Starts it, if it is not running; resolves when it is ready. */
  start(options?: StartOptions): Promise<void>;
  /** Sends SIGSTOP to it and its children. */
  pause(): Promise<void>;
  /** Sends SIGCONT to it and its children. */
  resume(): Promise<void>;
}

/**
 * The connections between two parts, each with a proxy of its own: from one program to a service, from the sellers to one
 * server, and from Stripe to the servers (its webhook).
 */
type HopName =
  | `${ProgramName}→mongo`
  | `${ProgramName}→queue`
  | `${ProgramName}→stripe`
  | `${ProgramName}→images`
  | `${ProgramName}→mail`
  | 'sellers→server-1'
  | 'sellers→server-2'
  | 'stripe→server-1';

export interface ChaosStack {
  config: Config;
  /** Whether the queue is on Redis or PostgreSQL. */
  queue: 'redis' | 'postgres';
  /** Address of the queue's store, without a proxy. */
  queueUrl: string;
  programs: Record<ProgramName, ChaosProcess>;
  services: Record<ServiceName, ChaosProcess>;
  hops: Record<HopName, TcpProxy>;
  images: ImageServerControlClient;
  stripe: StripeControlClient;
  mails: MailClient;
  /** Folder of photos and images; STORAGE_URL of all programs. */
  storageFolder: string;
  /** Folder of the logs of all processes. */
  logFolder: string;
}
