/** The parts of a stack with proxies, and the connections between them. */

export const serverNames = ['server', 'server-2'] as const;
export const workerNames = ['worker', 'worker-2'] as const;
export const programNames = [...serverNames, ...workerNames] as const;
export const serviceNames = ['mongo', 'queue', 'images', 'stripe', 'mail'] as const;

type ServerName = (typeof serverNames)[number];

export type ProgramName = (typeof programNames)[number];
export type ServiceName = (typeof serviceNames)[number];

/** From one program to the storage, where that is a bucket. */
export type StorageHopName = `${ProgramName}→storage`;

/**
 * The connections between two parts, each with a proxy of its own: from one program to a service, from the sellers to one
 * server, and from Stripe to a server (its webhook).
 */
export type HopName =
  | `${ProgramName}→${ServiceName}`
  | `sellers→${ServerName}`
  | 'stripe→server'
  | StorageHopName;
