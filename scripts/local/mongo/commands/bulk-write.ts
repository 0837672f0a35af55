import { encode } from '../bson/encode.ts';
import { type Doc, isNumeric, type Maybe, toNumber, typeOf } from '../bson/values.ts';
import { fail, MongoServerError } from '../errors.ts';
import { parseVariables } from '../query/expression.ts';
import { booleanField, type Command, type CommandContext, documentField, type Reply } from './context.ts';
import { insertDocument, runDelete, runUpdate, statementsIn, type Target } from './write.ts';

interface Totals {
  nErrors: number;
  nInserted: number;
  nMatched: number;
  nModified: number;
  nUpserted: number;
  nDeleted: number;
}

/** Options of the whole command that apply to each of its operations. */
interface Shared {
  variables: Record<string, unknown> | undefined;
  bypassValidation: boolean;
}

/** The command behind the driver's `client.bulkWrite`: writes to several collections in one message. */
function bulkWrite(context: CommandContext): Reply {
  const { command, state } = context;
  if (context.database !== 'admin') fail(13, 'bulkWrite may only be run against the admin database.');
  const operations = statementsIn(command, 'ops', 'bulkWrite');
  const targets = targetsOf(context);
  const ordered = booleanField(command, 'ordered', true, 'bulkWrite');
  const errorsOnly = booleanField(command, 'errorsOnly', false, 'bulkWrite');
  const shared: Shared = {
    variables: parseVariables(command.get('let')),
    bypassValidation: booleanField(command, 'bypassDocumentValidation', false, 'bulkWrite'),
  };
  const totals: Totals = { nErrors: 0, nInserted: 0, nMatched: 0, nModified: 0, nUpserted: 0, nDeleted: 0 };
  const results: Buffer[] = [];
  const targetsByOperation = operations.map((operation) => targetFor(operation, targets));
  for (const [idx, operation] of operations.entries()) {
    try {
      const result = runOperation(operation, targetsByOperation[idx]!, shared, totals);
      if (!errorsOnly) results.push(encode({ ok: 1, idx, ...result }));
    } catch (error) {
      if (!(error instanceof MongoServerError)) throw error;
      totals.nErrors++;
      results.push(encode({ ok: 0, idx, code: error.code, errmsg: error.message, ...error.fields, n: 0 }));
      if (ordered) break;
    }
  }
  const batchSize = documentField(command, 'cursor', 'bulkWrite').get('batchSize');
  const cursor = state.cursors.start('admin.$cmd.bulkWrite', results.values(), {
    batchSize: isNumeric(batchSize) ? toNumber(batchSize) : undefined,
    most: results.length,
  });
  return { cursor, ...totals };
}

function targetsOf(context: CommandContext): Target[] {
  return statementsIn(context.command, 'nsInfo', 'bulkWrite').map((info) => {
    const namespace = info.get('ns');
    if (typeof namespace !== 'string')
      fail(40414, "BSON field 'bulkWrite.nsInfo.ns' is missing but a required field");
    const dot = namespace.indexOf('.');
    if (dot <= 0 || dot === namespace.length - 1)
      fail('InvalidNamespace', `Invalid namespace specified for bulkWrite: '${namespace}'`);
    return {
      catalog: context.state.catalog,
      database: namespace.slice(0, dot),
      name: namespace.slice(dot + 1),
    };
  });
}

function targetFor(operation: Doc, targets: Target[]): Target {
  const [[kind, index]] = operation as unknown as [[string, Maybe]];
  if (!['insert', 'update', 'delete'].includes(kind)) {
    fail('BadValue', `Unsupported or unknown operation type in bulkWrite: ${kind}`);
  }
  const target = isNumeric(index) ? targets[toNumber(index)] : undefined;
  if (!target) fail('BadValue', `BulkWrite ops entry has an invalid nsInfo index: ${typeOf(index).name}`);
  return target;
}

function runOperation(operation: Doc, target: Target, shared: Shared, totals: Totals): Reply {
  if (operation.has('insert')) {
    insertDocument(
      target,
      documentField(operation, 'document', 'bulkWrite.ops'),
      undefined,
      shared.bypassValidation,
    );
    totals.nInserted++;
    return { n: 1 };
  }
  const common = {
    filter: documentField(operation, 'filter', 'bulkWrite.ops'),
    hint: operation.get('hint'),
    collation: operation.get('collation'),
    sort: operation.get('sort'),
  };
  const multi = booleanField(operation, 'multi', false, 'bulkWrite.ops');
  if (operation.has('delete')) {
    const { length } = runDelete(target, { ...common, limit: multi ? 0 : 1, variables: shared.variables });
    totals.nDeleted += length;
    return { n: length };
  }
  const constants = parseVariables(operation.get('constants'));
  const result = runUpdate(target, {
    ...common,
    update: operation.get('updateMods'),
    multi,
    upsert: booleanField(operation, 'upsert', false, 'bulkWrite.ops'),
    arrayFilters: operation.get('arrayFilters'),
    variables: constants ? { ...shared.variables, ...constants } : shared.variables,
    bypassValidation: shared.bypassValidation,
  });
  totals.nMatched += result.matched;
  totals.nModified += result.modified;
  if (!result.upserted) return { n: result.matched, nModified: result.modified };
  totals.nUpserted++;
  return { n: 1, nModified: 0, upserted: { _id: result.upserted.get('_id') } };
}

/** The `bulkWrite` command. */
export const bulkWriteCommands: Record<string, Command> = {
  bulkWrite: {
    run: bulkWrite,
    fields: ['ops', 'nsInfo', 'ordered', 'errorsOnly', 'bypassDocumentValidation', 'let', 'cursor'],
  },
};
