/** Errors of the driver and of mongoose that mean, whatever was asked, that no server could be asked. */
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
 * Answers of a server that cannot serve now: it is no primary (any more), it starts or ends, or it cannot reach the
 * others of its replica set. Those of the driver's list of resumable errors that are not about sharding or cursors.
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

/** How far causes are followed: they may lead in a circle. */
const deepest = 5;

/**
 * Whether an error says that MongoDB cannot be reached at the moment, or an error that caused it does: trying again
 * later may help, whatever was asked.
 */
export function isDatabaseUnreachable(error: unknown): boolean {
  let each = error;
  for (let depth = 0; depth < deepest && each instanceof Error; depth += 1) {
    if (names.has(each.name)) return true;
    // Others use numbers as codes too; a server's answer is called so in the driver.
    if (each.name.startsWith('Mongo') && 'code' in each && codes.has(each.code)) return true;
    each = each.cause;
  }
  return false;
}
