/** `npm run demo`: `packshot generate` for the demo seller, with the Packshot that `npm start` runs or one of its own. */
import { once } from 'node:events';
import { join } from 'node:path';
import { sampleScene, v1Versions } from '#contract';
import { shutdownRequested } from '#local/shutdown-request.ts';
import { createPackshot, type Packshot } from '#scripts/cli/client.ts';
import { generate } from '#scripts/cli/commands/generate.ts';
import { exitCodeOf, exitCodes } from '#scripts/cli/exit-codes.ts';
import { invocationFolder } from '#scripts/npm.ts';
import { demoSeller } from '#scripts/start/demo-sellers.ts';
import { runningStack } from '#scripts/start/lock.ts';
import { StackError } from '#scripts/start/process.ts';
import { type Stack, startStack } from '#scripts/start/stack.ts';
import { hashKey, newKey } from '#server/auth/key-format.ts';
import { insertApiKey, removeApiKey } from '#shared/data/accounts/api-keys.ts';
import { findUserByEmail } from '#shared/data/accounts/users.ts';
import { connectDb } from '#shared/data/connect.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';

const dataFolder = join(rootFolder, '.data');
/** How long its key works, should it not be revoked, in ms. */
const keyMs = 60 * 60_000;

const abort = new AbortController();
shutdownRequested().then(() => abort.abort());
let stack: Stack | undefined;
let revoke = async () => {};
try {
  process.exitCode = await generate({
    words: process.argv.slice(2),
    typed: 'npm run demo --',
    folder: invocationFolder(),
    connect,
    signal: abort.signal,
    print: console.log,
    note: process.stdout,
    ask: undefined,
    defaults: {
      photo: join(rootFolder, 'scripts', 'local', 'photos', 'mug-1.jpg'),
      scene: sampleScene('wooden-table'),
    },
  });
} catch (error) {
  process.exitCode = exitCodeOf(error) ?? exitCodes.wrong;
  if (abort.signal.aborted && !(error instanceof Error && 'exitCode' in error))
    console.error('demo: interrupted');
  else console.error(`demo: ${(error as Error).message}`);
  if (error instanceof StackError) for (const line of error.logLines) console.error(`  | ${line}`);
}
await revoke();
await stack?.close();
// The last lines must be written before the process exits.
if (process.stdout.writableLength > 0) await once(process.stdout, 'drain');
process.exit();

/** A client with a key of the demo seller, which is revoked at the end. @throws StackError */
async function connect(): Promise<Packshot> {
  if (!runningStack(dataFolder)) {
    console.log('Starting Packshot …');
    stack = await startStack({ port: 0, web: 'none', signal: abort.signal });
  }
  const running = runningStack(dataFolder);
  if (!running?.demoSellersAllowed) {
    throw new StackError(
      'other machines reach this Packshot, so it has no demo seller: use packshot generate with a key',
    );
  }
  const db = await connectDb(running.mongodbUrl);
  const seller = await findUserByEmail(db, demoSeller.email);
  const key = newKey();
  const now = Date.now();
  const row =
    seller &&
    (await insertApiKey(db, seller._id, {
      name: 'npm run demo',
      hash: hashKey(key),
      hint: key.slice(-4),
      scopes: ['generations:read', 'generations:write', 'exports:read', 'usage:read'],
      networks: [],
      version: v1Versions.at(-1)!,
      created_at: new Date(now),
      expires_at: new Date(now + keyMs),
    }));
  if (!row) {
    await db.close();
    throw new StackError(
      seller ? 'the demo seller has as many API keys as there may be' : 'there is no demo seller',
    );
  }
  revoke = async () => {
    await removeApiKey(db, seller._id, row._id);
    await db.close();
  };
  return createPackshot({ url: running.url, key });
}
