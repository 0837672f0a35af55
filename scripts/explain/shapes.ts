/** What two commands have in common that MongoDB answers in the same way: all but the values. */

/** A command as the driver sends it. */
export type Command = Record<string, unknown>;

/** One statement of a command. */
export interface Shape {
  /** The same for all commands of this shape from the same place. */
  key: string;
  /** An example that `explain` takes. */
  command: Command;
}

const explained = ['find', 'aggregate', 'findAndModify', 'update', 'delete', 'count', 'distinct'];

/** Fields of a command that belong to the connection, or that `explain` does not take. */
const omitted = new Set([
  'lsid',
  '$db',
  '$clusterTime',
  'txnNumber',
  'writeConcern',
  'readConcern',
  '$readPreference',
  'apiVersion',
]);

/** Fields of a command or of one statement in it that change no plan: what it writes, and what it returns. */
const irrelevant = new Set([
  'update',
  'u',
  'arrayFilters',
  'fields',
  'projection',
  'batchSize',
  'ordered',
  'new',
]);

/** What is written instead, because `explain` wants something. */
const someChange = { $set: { explained: true } };

/** The statements of a command: one, or several of an `update` or `delete`; none if it searches nothing. */
export function shapesOf(command: Command): Shape[] {
  const name = explained.find((each) => each in command);
  if (name === undefined) return [];
  const rest = without(command, (field) => omitted.has(field) || (irrelevant.has(field) && field !== name));
  const keyed = (one: Command, change: Command = {}) => [
    { key: JSON.stringify(shapeOf(one)), command: { ...one, ...change } },
  ];
  const statements = (field: string) =>
    (command[field] as Command[]).map((each) => without(each, (name) => irrelevant.has(name)));
  if (name === 'findAndModify') return keyed(rest, rest.remove === true ? {} : { update: someChange });
  if (name === 'update') {
    return statements('updates').flatMap((each) =>
      keyed({ ...rest, updates: [each] }, { updates: [{ ...each, u: someChange }] }),
    );
  }
  if (name === 'delete') return statements('deletes').flatMap((each) => keyed({ ...rest, deletes: [each] }));
  return keyed(rest);
}

function without(object: Command, leftOut: (field: string) => boolean): Command {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !leftOut(field)));
}

/** Replaces values by their types. Null, booleans, and words such as a state are kept: partial indexes depend on them. */
function shapeOf(value: unknown, field = ''): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null;
  if (typeof value === 'string') return /^[a-z][a-z-]{1,20}$/.test(value) || isName(field) ? value : '?';
  if (typeof value !== 'object') return isDirection(field) ? value : typeof value;
  if (Array.isArray(value)) {
    const shapes = value.map((each) => shapeOf(each));
    const different = [...new Map(shapes.map((each) => [JSON.stringify(each), each])).values()];
    // One value is searched for as by equality; how many there are beyond that changes no plan.
    return value.length > 1 ? [...different, 'several'] : different;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype && !(value instanceof Map))
    return value.constructor.name;
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, each]) => [name, shapeOf(each, field === 'sort' ? 'sort' : name)]),
  );
}

const isName = (field: string) => [...explained, 'comment', 'hint'].includes(field);
const isDirection = (field: string) => field === 'sort';
