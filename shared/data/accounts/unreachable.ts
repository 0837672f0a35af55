/** Names of errors of the driver and of mongoose that mean that no server could be reached. */
const names: ReadonlySet<string> = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
  'MongoNotConnectedError',
  'MongoServerClosedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoStalePrimaryError',
]);

/**
 * Error codes of a server that cannot serve at the moment: it is not the primary, it is starting or shutting down, or it
 * cannot reach its replica set. These are the driver's resumable errors, without those about sharding and cursors.
 */
const codes: ReadonlySet<unknown> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  64, // WriteConcernTimeout
  89, // NetworkTimeout
  91, // ShutdownInProgress
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  262, // ExceededTimeLimit
  9_001, // SocketException
  10_058, // LegacyNotPrimary
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
]);

/** How many causes are followed: they may form a cycle. */
const maxDepth = 5;

/**
 * Whether an error, or one of its causes, means that MongoDB cannot be reached at the moment. A retry may succeed.
 */
export function isDatabaseUnreachable(error: unknown): boolean {
  let each = error;
  for (let depth = 0; depth < maxDepth && each instanceof Error; depth += 1) {
    if (names.has(each.name)) return true;
    // Other libraries use numeric codes too; the driver's errors have this prefix.
    if (each.name.startsWith('Mongo') && 'code' in each && codes.has(each.code)) return true;
    each = each.cause;
  }
  return false;
}
