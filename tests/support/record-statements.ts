/**
 * Records the statements on MongoDB that this process executes, for `npm run explain`: each shape once, with the line of
 * `shared/data` that it comes from. Loaded with `--import` where TEST_STATEMENTS_FOLDER names a folder.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import mongoose from 'mongoose';
import { leftOut } from '#scripts/explain/recording.ts';
import { shapesOf } from '#scripts/explain/shapes.ts';
import { givenTestStores } from '#scripts/test/given-stores.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';

const folder = givenTestStores().statementsFolder!;
mkdirSync(folder, { recursive: true });
const file = join(folder, `${process.pid}-${Date.now()}.jsonl`);
const known = new Set<string>();

const { EJSON } = mongoose.mongo.BSON;

function record(command: Record<string, unknown>): void {
  // A migration's, a test's own, or one of rate-limiter-flexible.
  if (command.comment === undefined) return;
  for (const { key, command: one } of shapesOf(command)) {
    if (known.has(key)) continue;
    known.add(key);
    appendFileSync(file, `${EJSON.stringify({ key, command: one })}\n`);
  }
}

const dataFolder = new URL('shared/data/', `file://${rootFolder}/`).href;

/** @returns the place in shared/data that the current call comes from, as `file:line` */
function callerInData(): string | undefined {
  const frames = new Error().stack?.split('\n') ?? [];
  const found = frames
    .map((line) => /(file:\/\/[^)]+):(\d+):\d+\)?$/.exec(line))
    .filter((each) => each !== null);
  const inData = found.filter(([, url]) => url!.startsWith(dataFolder));
  // A lease's statement belongs to whoever takes the lease, and so for a statement of the driver.
  const frame = inData.find(([, url]) => !/\/(?:lease|collection)\.ts$/.test(url!)) ?? inData[0];
  return frame && `${relative(rootFolder, fileURLToPath(frame[1]!))}:${frame[2]}`;
}

type Statement = mongoose.Query<unknown, unknown> | mongoose.Aggregate<unknown>;
type Method = (this: unknown, ...given: unknown[]) => unknown;

/** Each statement says in its `comment` where it comes from: the command that is sent much later carries it. */
const model = mongoose.Model as unknown as Record<string, Method>;
for (const name of [
  'find',
  'findOne',
  'findById',
  'findOneAndUpdate',
  'findByIdAndUpdate',
  'findOneAndDelete',
  'updateOne',
  'updateMany',
  'deleteOne',
  'deleteMany',
  'replaceOne',
  'countDocuments',
  'distinct',
  'exists',
  'aggregate',
]) {
  const original = model[name]!;
  model[name] = function (...given) {
    const statement = original.apply(this, given) as Statement;
    const comment = callerInData();
    if (comment === undefined) return statement;
    return 'setOptions' in statement ? statement.setOptions({ comment }) : statement.option({ comment });
  };
}

/** Lists are read by the driver, and it changes what is changed for every image. What mongoose calls it for has a comment already. */
const { prototype } = mongoose.mongo.Collection;
const { find: findByDriver, findOneAndUpdate: updateByDriver } = prototype;

/** The options of a statement of the driver, with the place that it comes from. */
function withComment<Options extends { comment?: unknown }>(options: Options): Options {
  const comment = options.comment ?? callerInData();
  const isRecorded = typeof comment === 'string' && !leftOut.test(comment.split(':')[0]!);
  return isRecorded ? { ...options, comment } : options;
}

prototype.find = function (
  this: mongoose.mongo.Collection,
  filter = {},
  options: mongoose.mongo.FindOptions = {},
) {
  return findByDriver.call(this, filter, withComment(options));
} as typeof findByDriver;

prototype.findOneAndUpdate = function (
  this: mongoose.mongo.Collection,
  filter: object,
  update: object,
  options: mongoose.mongo.FindOneAndUpdateOptions = {},
) {
  return (updateByDriver as Method).call(this, filter, update, withComment(options));
} as typeof updateByDriver;

const connect = mongoose.createConnection.bind(mongoose);
mongoose.createConnection = ((url: string, options: mongoose.ConnectOptions) => {
  const connection = connect(url, { ...options, monitorCommands: true });
  // Registered before the caller waits, so that no statement comes earlier.
  connection.asPromise().then(
    () => connection.getClient().on('commandStarted', ({ command }) => record(command)),
    () => {},
  );
  return connection;
}) as typeof mongoose.createConnection;
