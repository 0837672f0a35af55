import { encode, RawDocument } from '../bson/encode.ts';
import { toNumber } from '../bson/values.ts';
import { fail, MongoServerError } from '../errors.ts';
import { parseProjection } from '../query/projection.ts';
import type { Stored } from '../storage/collection.ts';
import {
  booleanField,
  type Command,
  type CommandContext,
  collectionName,
  documentField,
  type Reply,
} from './context.ts';
import { insertDocument, runDelete, runUpdate, statementsIn, type Target } from './write.ts';

interface WriteError {
  index: number;
  code: number;
  errmsg: string;
}

/** Runs the statements of a command in order; `ordered` commands stop at the first error. */
function runStatements(context: CommandContext, count: number, run: (index: number) => void): WriteError[] {
  const ordered = booleanField(context.command, 'ordered', true, context.name);
  const errors: WriteError[] = [];
  for (let index = 0; index < count; index++) {
    try {
      run(index);
    } catch (error) {
      if (!(error instanceof MongoServerError)) throw error;
      errors.push({ index, code: error.code, errmsg: error.message, ...error.fields });
      if (ordered) break;
    }
  }
  return errors;
}

function targetOf(context: CommandContext): Target {
  return { catalog: context.state.catalog, database: context.database, name: collectionName(context) };
}

function insert(context: CommandContext): Reply {
  const target = targetOf(context);
  const documents = statementsIn(context.command, 'documents', 'insert');
  const raw = context.raw.get('documents');
  let n = 0;
  const writeErrors = runStatements(context, documents.length, (index) => {
    insertDocument(target, documents[index]!, raw?.[index]);
    n++;
  });
  return { n, ...(writeErrors.length > 0 && { writeErrors }) };
}

const UPDATE_FIELDS = ['q', 'u', 'multi', 'upsert', 'hint', 'sort'];

function update(context: CommandContext): Reply {
  const target = targetOf(context);
  const statements = statementsIn(context.command, 'updates', 'update');
  for (const statement of statements) {
    checkFields(statement.keys(), UPDATE_FIELDS, 'update.updates');
    for (const field of ['q', 'u']) {
      if (!statement.has(field))
        fail(40414, `BSON field 'update.updates.${field}' is missing but a required field`);
    }
  }
  let n = 0;
  let nModified = 0;
  const upserted: { index: number; _id: unknown }[] = [];
  const writeErrors = runStatements(context, statements.length, (index) => {
    const statement = statements[index]!;
    const result = runUpdate(target, {
      filter: documentField(statement, 'q', 'update.updates'),
      update: statement.get('u'),
      multi: booleanField(statement, 'multi', false, 'update.updates'),
      upsert: booleanField(statement, 'upsert', false, 'update.updates'),
      sort: statement.get('sort'),
      hint: statement.get('hint'),
    });
    n += result.matched + (result.upserted ? 1 : 0);
    nModified += result.modified;
    if (result.upserted) upserted.push({ index, _id: result.upserted.get('_id') });
  });
  return {
    n,
    ...(upserted.length > 0 && { upserted }),
    nModified,
    ...(writeErrors.length > 0 && { writeErrors }),
  };
}

function remove(context: CommandContext): Reply {
  const target = targetOf(context);
  const statements = statementsIn(context.command, 'deletes', 'delete');
  for (const statement of statements) {
    checkFields(statement.keys(), ['q', 'limit', 'hint'], 'delete.deletes');
    for (const field of ['q', 'limit']) {
      if (!statement.has(field))
        fail(40414, `BSON field 'delete.deletes.${field}' is missing but a required field`);
    }
    const limit = toNumber(statement.get('limit'));
    if (limit !== 0 && limit !== 1) {
      fail('FailedToParse', `The limit field in delete objects must be 0 or 1. Got ${limit}`);
    }
  }
  let n = 0;
  const writeErrors = runStatements(context, statements.length, (index) => {
    const statement = statements[index]!;
    n += runDelete(target, {
      filter: documentField(statement, 'q', 'delete.deletes'),
      limit: toNumber(statement.get('limit')) as 0 | 1,
      hint: statement.get('hint'),
    }).length;
  });
  return { n, ...(writeErrors.length > 0 && { writeErrors }) };
}

/** Rejects fields that a command does not know. @throws 40415 */
export function checkFields(names: Iterable<string>, known: readonly string[], owner: string): void {
  for (const name of names) {
    if (!known.includes(name)) fail(40415, `BSON field '${owner}.${name}' is an unknown field.`);
  }
}

function findAndModify(context: CommandContext): Reply {
  const { command } = context;
  const owner = 'findAndModify';
  const target = targetOf(context);
  const remove = booleanField(command, 'remove', false, owner);
  const upsert = booleanField(command, 'upsert', false, owner);
  const returnNew = booleanField(command, 'new', false, owner);
  const update = command.get('update');
  if (remove && update !== undefined)
    fail('FailedToParse', "Cannot specify both an 'update' and 'remove'=true");
  if (remove && upsert) fail('FailedToParse', 'Cannot specify both upsert=true and remove=true ');
  if (remove && returnNew)
    fail(
      'FailedToParse',
      "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document",
    );
  if (!remove && update === undefined)
    fail('FailedToParse', 'Either an update or remove=true must be specified');
  const statement = {
    filter: documentField(command, 'query', owner),
    sort: command.get('sort'),
    hint: command.get('hint'),
  };
  const view = (stored: Stored | undefined) => (stored ? projected(context, stored) : null);
  if (remove) {
    const [gone] = runDelete(target, { ...statement, limit: 1 });
    return { lastErrorObject: { n: gone ? 1 : 0 }, value: view(gone) };
  }
  const result = runUpdate(target, {
    ...statement,
    update,
    multi: false,
    upsert,
  });
  const lastErrorObject = {
    n: result.matched + (result.upserted ? 1 : 0),
    updatedExisting: result.matched > 0,
    ...(result.upserted && { upserted: result.upserted.get('_id') }),
  };
  return { lastErrorObject, value: view(returnNew ? result.after : result.before) };
}

function projected({ command }: CommandContext, stored: Stored): RawDocument {
  const projection = parseProjection(command.get('fields'));
  return new RawDocument(projection ? encode(projection(stored.document)) : stored.bytes);
}

/** The commands `insert`, `update`, `delete` and `findAndModify`. */
export const crudCommands: Record<string, Command> = {
  // mongorestore has empty timestamps kept; they always are.
  insert: { run: insert, fields: ['documents', 'ordered', 'bypassEmptyTsReplacement'] },
  update: { run: update, fields: ['updates', 'ordered'] },
  delete: { run: remove, fields: ['deletes', 'ordered'] },
  findAndModify: {
    run: findAndModify,
    fields: ['query', 'sort', 'remove', 'update', 'new', 'fields', 'upsert', 'hint'],
  },
};
