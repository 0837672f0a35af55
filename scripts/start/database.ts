import { join } from 'node:path';
import {
  type CommandLine,
  type CommandOptions,
  type CommandValues,
  readCommandLine,
  refuse,
} from '#scripts/command-line.ts';
import { connectDb } from '#shared/data/connect.ts';
import type { Db } from '#shared/data/db.ts';
import { assertMigrated } from '#shared/data/migrations/migrate.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { givenSettings } from '#shared/platform/settings.ts';
import { runningStack } from './lock.ts';

/** How long a command waits for MongoDB to answer at first, in ms. */
const answerMs = 5_000;

/** A database that a command works on. */
interface CommandDatabase {
  url: string;
  close(): Promise<void>;
}

/** Opens the database of MONGODB_URL if it is set, else the database of `npm start`, which need not be running. */
async function openCommandDatabase(dataFolder = join(rootFolder, '.data')): Promise<CommandDatabase> {
  const url = givenSettings().MONGODB_URL ?? runningStack(dataFolder)?.mongodbUrl;
  if (url !== undefined) return { url, close: async () => {} };
  // Imported only here: container images do not have it.
  const { startMongoServer } = await import('#local/mongo/server.ts');
  const server = await startMongoServer({ port: 0, dataFolder: join(dataFolder, 'mongo') });
  return { url: `${server.url}/packshot`, close: () => server.close() };
}

/**
 * Runs a command on that database. What fails is printed as one line that begins with
 * the name of the command, and the process ends with 1.
 */
export async function runOnDatabase(command: string, run: (db: Db) => Promise<void>): Promise<void> {
  try {
    const database = await openCommandDatabase();
    try {
      // Whoever has typed a wrong address learns it soon; statements wait for an election, as those of servers do.
      const first = await connectDb(database.url, { serverSelectionTimeoutMS: answerMs });
      await first.close();
      const db = await connectDb(database.url);
      await run(db).finally(() => db.close());
    } finally {
      await database.close();
    }
  } catch (error) {
    console.error(`${command}: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}

/** What a command of an operator does to a database. @returns what to print */
export type OperatorsAction = (db: Db) => Promise<string>;

/**
 * Runs a command of an operator on that database, which must be migrated, and prints what it returns.
 * @param actionOf what the words and options of the command line ask for; throws an Error that says what is wrong with them
 */
export async function runOperatorsCommand<const Given extends CommandOptions = Record<never, never>>(
  command: string,
  line: CommandLine<Given>,
  actionOf: (words: readonly string[], values: CommandValues<Given>) => OperatorsAction,
): Promise<void> {
  const { words, values } = readCommandLine(command, line);
  const action = readAction(command, () => actionOf(words, values));
  await runOnDatabase(command, async (db) => {
    await assertMigrated(db);
    console.log(`${command}: ${await action(db)}`);
  });
}

function readAction(command: string, actionOf: () => OperatorsAction): OperatorsAction {
  try {
    return actionOf();
  } catch (error) {
    return refuse(command, (error as Error).message);
  }
}
