/**
 * `npm run explain`: which index each statement of the product uses. Runs the integration tests to see the statements, or
 * reads what a run of the tests with TEST_STATEMENTS_FOLDER=folder wrote (`--recorded folder`). Then asks MongoDB for the plan
 * of each, on a database with invented documents: at MONGODB_URL if it is set, else the local service. Fails on a
 * statement that reads a whole collection or index, or sorts in memory, and on one that no test executes.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMongoServer } from '#local/mongo/server.ts';
import { readCommandLine } from '#scripts/command-line.ts';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { connectionOf } from '#shared/data/collection.ts';
import { connectDb } from '#shared/data/connect.ts';
import { migrate } from '#shared/data/migrations/migrate.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { givenSettings } from '#shared/platform/settings.ts';
import { explainCommand } from './explain.ts';
import { fillCollections } from './fill.ts';
import { readRecording } from './recording.ts';
import { createReport } from './report.ts';
import type { Command } from './shapes.ts';

/** Documents of each collection: enough that reading all of them is never the best plan. */
const documents = 2_000;

const { values } = readCommandLine('explain', {
  about:
    'Prints which index each statement uses, and fails on one that reads a whole collection or sorts in memory.',
  options: {
    recorded: {
      takes: 'FOLDER',
      about: 'what tests with TEST_STATEMENTS_FOLDER wrote, instead of running them',
    },
  },
});

const folder = await mkdtemp(join(tmpdir(), 'packshot-explain-'));
try {
  const recorded = values.recorded ?? runTests(join(folder, 'statements'));
  process.exitCode = (await explainAll(readRecording(recorded))) ? 0 : 1;
} catch (error) {
  console.error(`explain: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** @returns the folder in which the tests recorded their statements */
function runTests(into: string): string {
  const { status } = spawnSync(
    process.execPath,
    ['scripts/test/main.ts', '--project=postgres', '--project=postgres-full', 'tests/integration'],
    { cwd: rootFolder, stdio: 'inherit', env: { ...childEnvironment({}), TEST_STATEMENTS_FOLDER: into } },
  );
  if (status !== 0) throw new Error('tests failed, so not all statements are known');
  return into;
}

/** @returns whether every statement uses an index and was executed by a test */
async function explainAll(commands: Command[]): Promise<boolean> {
  const given = givenSettings().MONGODB_URL;
  const local =
    given === undefined && (await startMongoServer({ port: 0, dataFolder: join(folder, 'mongo') }));
  const address = new URL(local ? local.url : given!);
  address.pathname = `/explain_${randomBytes(6).toString('hex')}`;
  const db = await connectDb(address.href);
  const report = createReport();
  try {
    await migrate(db, { info() {} });
    await fillCollections(db, documents);
    for (const command of commands) report.add(command, await explainCommand(db, command));
  } finally {
    await connectionOf(db).dropDatabase();
    await db.close();
    if (local) await local.close();
  }
  const { lines, failed } = report.end();
  for (const line of lines) console.log(line);
  return !failed;
}
