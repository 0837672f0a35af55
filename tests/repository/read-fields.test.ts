/** Whatever is stored is read: a field that is written and never read means nothing. */
import mongoose, { type Schema, type SchemaType } from 'mongoose';
import { expect, test } from 'vitest';
import { defaultOptions } from '#contract';
import { createDb } from '#shared/data/collection.ts';
import { modelsOf } from '#shared/data/collections.ts';
import { readInCheckout, trackedFiles } from '#tests/support/checkout.ts';

/** Why parts of a picture have no reader of their own. */
const crops =
  'the browser shows these parts; the view passes them on as they are (shared/views/generation.ts)';

/** Fields that no code reads by their name, each with the reason; it holds for what is within them as well. */
const allowed: Readonly<Record<string, string>> = {
  'generations.match.crops.inPhoto': crops,
  'generations.match.crops.inImage': crops,
  'locks.holder':
    'whoever holds a lock renews and releases it by a filter that is built before (shared/data/locks.ts)',
};

/** The stored fields of the specification, by the collection that has them. */
const specified: Readonly<Record<string, readonly string[]>> = {
  profiles: [
    'email',
    'full_name',
    'subscription_plan',
    'subscription_status',
    'credits',
    'generations_left',
    'total_generations',
    'last_login',
    'login_count',
    'account_locked',
    'security_level',
    'two_factor_enabled',
    'email_verified',
    'created_at',
    'updated_at',
    'stripe_customer_id',
    'subscription_id',
    'subscription_data',
    ...['current_period_end', 'cancel_at_period_end', 'payment_method', 'last4', 'card_brand'].map(
      (name) => `subscription_data.${name}`,
    ),
    ...['is_trial', 'trial_end'].map((name) => `subscription_data.${name}`),
  ],
  userSettings: [
    'user_id',
    'dark_mode',
    'notifications_enabled',
    'auto_save',
    'image_quality',
    'security_notifications',
    'activity_logging',
    'session_timeout',
    'password_expiry_days',
    'created_at',
    'updated_at',
    'preferences.language',
    'preferences.theme',
    'preferences.notifications.email',
    'preferences.notifications.push',
  ],
};

type Part = SchemaType & { schema?: Schema; embeddedSchemaType?: { schema?: Schema } };

/** The paths of a schema, parts and lists of parts included, without `_id`. */
function pathsOf(schema: Schema, before = ''): string[] {
  const paths: string[] = [];
  schema.eachPath((name, type: Part) => {
    if (name === '_id') return;
    const inner = type.schema ?? type.embeddedSchemaType?.schema;
    paths.push(before + name, ...(inner ? pathsOf(inner, `${before}${name}.`) : []));
  });
  return paths;
}

const models = modelsOf(createDb(mongoose.createConnection()));
const fields = Object.entries(models).flatMap(([collection, { schema }]) =>
  pathsOf(schema).map((path) => `${collection}.${path}`),
);

/** The sources of the programs and of the audit, without comments. */
const sources = trackedFiles('server', 'worker', 'shared', 'scripts/audit')
  .filter((file) => /(?<!\.test)\.ts$/.test(file) && !/contract|migrations/.test(file))
  .map((file) =>
    readInCheckout(file)
      .replaceAll(/\/\*[\s\S]*?\*\//g, '')
      .replaceAll(/^\s*\/\/.*$/gm, ''),
  );

/** What follows the brackets of names that are taken out of an object: `} = row`, `}: Row`, `}) =>`. */
const endOfPattern = /^\s*(?:=[^=>]|:\s*(?:[A-Z{]|readonly\b)|\)\s*(?::[^=;]*)?=>)/;

/** The words between brackets that take names out of an object. */
function takenNames(source: string): string[] {
  const opened: number[] = [];
  const names: string[] = [];
  for (let index = 0; index < source.length; index += 1) {
    if (source[index] === '{') opened.push(index);
    if (source[index] !== '}') continue;
    const begin = opened.pop() ?? 0;
    if (!endOfPattern.test(source.slice(index + 1, index + 200))) continue;
    names.push(...(source.slice(begin, index).match(/\w+/g) ?? []));
  }
  return names;
}

/** Where a statement has its filter. */
const filters =
  /(?:find|findOne|exists|countDocuments|deleteOne|deleteMany|update(?:One|Many)|findOneAnd\w+)\(\s*\{([^{}]*)/g;
/** Keys with a condition, properties that are read, and names of fields in expressions and projections. */
const reads = [
  /(\w+)'?: \{ \$(?:lte?|gte?|ne|n?in|exists|elemMatch|not|eq|type)\b/g,
  /(?<=[\w)\]!]\??\.)(\w+)\b(?!'|\.[\w.]*':|\s*=[^=>])/g,
  /'\$(?:[\w.]*\.)?(\w+)'/g,
  /'(?:[\w.]*\.)?(\w+)'(?!:)/g,
];

/**
 * The names that the code reads, also of what is not stored: a field is read if its name is. The options of an image are
 * read as one object (imageOptionsOf).
 */
const read = new Set([
  ...Object.keys(defaultOptions),
  ...sources.flatMap((source) => [
    ...takenNames(source),
    ...[...source.matchAll(filters)].flatMap(([, filter]) => filter!.match(/\w+(?='?:)/g) ?? []),
    ...reads.flatMap((pattern) => [...source.matchAll(pattern)].map(([, name]) => name!)),
  ]),
]);

/** MongoDB itself reads the time at which it removes a document. */
const removing = Object.entries(models).flatMap(([collection, { schema }]) => {
  const indexes: [keys: object, options: { expireAfterSeconds?: unknown }][] = schema.indexes();
  return indexes
    .filter(([, { expireAfterSeconds }]) => expireAfterSeconds !== undefined)
    .flatMap(([keys]) => Object.keys(keys).map((path) => `${collection}.${path}`));
});

test('every stored field is read, or has a reason', () => {
  expect(fields.length).toBeGreaterThan(300);
  const unread = fields.filter(
    (field) =>
      !field
        .split('.')
        .slice(1)
        .every((name) => read.has(name)) && !removing.includes(field),
  );
  const outermost = unread.filter((field) => !unread.some((other) => field.startsWith(`${other}.`)));
  expect(outermost).toEqual(Object.keys(allowed));
});

test('a field that is only written is found', () => {
  const written = `
    const row = { _id: id, only_written: text, set_once: date };
    await rows(db).updateOne({ _id: id }, { $set: { only_written: 1, 'part.only_written': 2 } });
    row.only_written = 3;`;
  const found = reads.flatMap((pattern) => [...written.matchAll(pattern)].map(([, name]) => name));
  const names = [...takenNames(written), ...found];
  expect(names.filter((name) => name === 'only_written' || name === 'set_once')).toEqual([]);
});

test('the fields of the specification are stored', () => {
  const named = Object.entries(specified).flatMap(([collection, names]) =>
    names.map((name) => `${collection}.${name}`),
  );
  expect(named.filter((field) => !fields.includes(field))).toEqual([]);
});
