import type { Models } from '#shared/data/collections.ts';

/** Where something about a seller is stored, what the deletion of the account does with it, and what the export has of it. */
interface SellerPlace {
  /** The field with the seller's id; absent where rows are not found by one. */
  field?: '_id' | 'user_id' | 'profile' | 'seller';
  /** `credentials`: at once; `data`: when nothing is written any more; `own`: in shared/accounts/deletion.ts; or why it stays. */
  removed: 'credentials' | 'data' | 'own' | { stays: string };
  /** The file of the export, or why there is none. */
  exported: string | { not: string };
}

/**
 * Every collection with something about a seller. Deletion and export follow this list, and a collection that is in neither list
 * of this file does not compile.
 */
export const sellerPlaces = {
  users: { field: '_id', removed: 'credentials', exported: 'profile.json' },
  profiles: { removed: 'own', exported: 'profile.json' },
  userSettings: { field: '_id', removed: 'data', exported: 'settings.json' },
  sessions: { field: 'user_id', removed: 'own', exported: 'sessions.json' },
  accountTokens: { field: 'user_id', removed: 'credentials', exported: 'addresses.json' },
  apiKeys: { field: 'user_id', removed: 'credentials', exported: 'api-keys.json' },
  webhookEndpoints: { field: 'profile', removed: 'credentials', exported: 'webhooks.json' },
  webhookDeliveries: { field: 'profile', removed: 'data', exported: 'webhook-deliveries.json' },
  sellerEvents: { field: 'profile', removed: 'data', exported: 'events.json' },
  knownDevices: { field: 'user_id', removed: 'credentials', exported: 'devices.json' },
  activities: { field: 'user_id', removed: 'data', exported: 'activity.json' },
  creditEntries: { field: 'profile', removed: 'data', exported: 'ledger.json' },
  notifications: { field: 'profile', removed: 'data', exported: 'notifications.json' },
  mails: { removed: 'own', exported: 'mails.json' },
  projects: { field: 'profile', removed: 'data', exported: 'projects.json' },
  looks: { field: 'profile', removed: 'own', exported: 'looks.json' },
  ownPresets: { field: 'profile', removed: 'data', exported: 'export-presets.json' },
  batches: { field: 'profile', removed: 'own', exported: 'batches.json' },
  batchItems: { removed: 'own', exported: 'batches.json' },
  batchPhotos: {
    removed: 'own',
    exported: { not: 'the hashes of photos; the photos are in the folders of their images' },
  },
  deletedBatches: {
    field: 'profile',
    removed: 'data',
    exported: {
      not: 'ids and keys of batches that a program made and that were deleted; their images are in generations.json',
    },
  },
  generations: { field: 'profile', removed: 'own', exported: 'generations.json' },
  fileRemovals: {
    field: 'profile',
    removed: 'own',
    exported: { not: 'ids of images and batches that are removed already, until their files are' },
  },
  attempts: {
    removed: { stays: 'says which worker called the provider when; it ends with the time' },
    exported: { not: 'how our machines made an image; its times and its failure are in generations.json' },
  },
  unpaidCalls: { removed: 'data', exported: 'unpaid-calls.json' },
  providerCosts: {
    field: 'seller',
    removed: 'own',
    exported: { not: 'what our image provider bills us; what the seller used is in ledger.json' },
  },
  refusals: { field: 'profile', removed: 'data', exported: 'refusals.json' },
  freeImageClaims: {
    removed: 'data',
    exported: {
      not: 'a keyed hash of the address, from which nobody can tell whose it is; the free images are in ledger.json',
    },
  },
  stripeEvents: {
    removed: { stays: 'only the ids that Stripe gave; removed after KEEP_EVENTS_DAYS' },
    exported: {
      not: 'says only that Stripe told us of a change; what follows is in profile.json and ledger.json',
    },
  },
  operatorActions: {
    removed: { stays: 'the log of what operators did must outlive those whom it concerns (decision 71)' },
    exported: { not: 'the log of our own staff; what they changed is in profile.json and ledger.json' },
  },
} as const satisfies Partial<Record<keyof Models, SellerPlace>>;

/** A collection with something about a seller. */
export type SellerPlaceName = keyof typeof sellerPlaces;

/** Collections with nothing about a seller, and what they are about. */
export const otherPlaces = {
  storageFolders: 'the storage of the installation',
  providerPauses: 'the image provider',
  providerFlows: 'the image provider',
  queueLanes: 'turns of the queue, by plan',
  queueOrders: 'priorities and times of what waits',
  locks: 'processes',
  durations: 'how long images take',
  auditResults: 'sums of the installation',
  backupResults: 'the installation',
  workerSlots: 'processes, and the ids of generations for a minute',
  banners: 'what operators tell everybody',
  minutes: 'figures of the installation',
  seenWorkers: 'processes',
  serverReports: 'processes',
  alerts: 'the installation',
  webhookCalls: 'alerts',
  passkeyChallenges: 'hashes, for minutes: nothing says whose',
} as const satisfies Record<Exclude<keyof Models, SellerPlaceName>, string>;

type FileOf<Place> = Place extends { exported: infer File extends string } ? File : never;

/** A file of the export that has what is stored in one or more collections. */
export type ExportedFileName = FileOf<(typeof sellerPlaces)[SellerPlaceName]>;

/** The collections whose rows a deletion removes by one field, when nothing is written any more. */
export function placesRemovedByField(): { name: SellerPlaceName; field: string }[] {
  return Object.entries<SellerPlace>(sellerPlaces).flatMap(([name, { field, removed }]) =>
    field !== undefined && removed === 'data' ? [{ name: name as SellerPlaceName, field }] : [],
  );
}

/** The collections in which nothing with a seller's id may be left before the profile is removed. */
export function placesEmptiedByField(): { name: SellerPlaceName; field: string }[] {
  return Object.entries<SellerPlace>(sellerPlaces).flatMap(([name, { field }]) =>
    field === undefined ? [] : [{ name: name as SellerPlaceName, field }],
  );
}
