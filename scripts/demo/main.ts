/** `npm run demo`: creates images from the command line, with a stack of its own or a running one. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, parse, resolve } from 'node:path';
import { downloadName, type ExportPresetId, type GenerationView, hasEnded } from '#contract';
import { shutdownRequested } from '#local/shutdown-request.ts';
import { invocationFolder } from '#scripts/npm.ts';
import { demoSeller } from '#scripts/start/demo-sellers.ts';
import { StackError } from '#scripts/start/process.ts';
import { type Stack, startStack } from '#scripts/start/stack.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { type Client, createClient, DemoError, signIn } from './client.ts';
import { type DemoOptions, displayPath, readOptions } from './options.ts';
import { startProgress } from './progress.ts';
import { createSessionStore, signInOnce } from './sessions.ts';

async function run(client: Client, options: DemoOptions, interrupted: Promise<void>): Promise<void> {
  const { photos, scene } = options;
  console.log(`${photos.map(displayPath).join(', ')}\n“${scene}”\n`);
  const display = startProgress(process.stdout);
  const began = performance.now();
  const newest = await client.submit(options);
  const following = newest.map((take, index) =>
    client.follow(take, (view) => {
      newest[index] = view;
      display.show(newest);
    }),
  );
  const takes = await Promise.race([Promise.all(following), interrupted]).finally(display.end);
  if (takes === undefined) throw new DemoError(await cancel(client, newest));

  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log();
  for (const take of takes) {
    if (take.image === null) continue;
    const file = fileOf(take, options);
    await writeFile(file, await client.download(take.image.url));
    console.log(`${displayPath(file)}: ${take.image.width} × ${take.image.height}${seedOf(take)}`);
    if (options.exportPreset) await writeExport(client, take, file, options.exportPreset);
  }
  const failed = takes.filter(({ image }) => image === null);
  if (failed.length > 0) {
    const reasons = new Set(failed.map(({ failure, state }) => failure?.message ?? state));
    const count = takes.length === 1 ? 'no image' : `${failed.length} of ${takes.length} images failed`;
    throw new DemoError(`${count}: ${[...reasons].join(' ')}`);
  }
  console.log(`after ${seconds} s`);
  const { subscription, imageProvider } = await client.me();
  if (!subscription.unlimited) console.log(`${subscription.generationsLeft} images left.`);
  if (imageProvider === 'local') console.log('Local renderer: set OPENAI_API_KEY for AI images.');
}

/** Writes the file for a marketplace beside the image, and prints what each rule found. */
async function writeExport(
  client: Client,
  { id }: GenerationView,
  image: string,
  preset: ExportPresetId,
): Promise<void> {
  const { file, check } = await client.exportImage(id, preset);
  const { dir, name } = parse(image);
  const path = join(dir, `${name}-${preset}${parse(check.fileName).ext}`);
  await writeFile(path, file);
  console.log(`${displayPath(path)}: ${check.width} × ${check.height}`);
  for (const rule of check.rules)
    console.log(`  ${rule.outcome}: ${rule.name}: ${rule.measured} (needs ${rule.needed})`);
}

/** The file for a take's image; those of several takes are numbered from 1. */
function fileOf({ productName, createdAt, set }: GenerationView, { out }: DemoOptions): string {
  const file = out ?? resolve(invocationFolder(), downloadName(productName, createdAt));
  const { dir, name, ext } = parse(file);
  return set.size === 1 ? file : join(dir, `${name}-${set.index + 1}${ext}`);
}

function seedOf({ options: { seed } }: GenerationView): string {
  return seed === null ? '' : `, seed ${seed}`;
}

/** Cancels what has not ended. @returns what it cost */
async function cancel(client: Client, takes: readonly GenerationView[]): Promise<string> {
  const open = takes.filter(({ state }) => !hasEnded(state));
  const results = await Promise.allSettled(open.map(({ id }) => client.cancel(id)));
  const used = takes.length - results.filter(({ status }) => status === 'fulfilled').length;
  if (used === 0) return 'interrupted: cancelled, no image was used';
  const images = used === 1 ? '1 image' : `${used} images`;
  return `interrupted too late to cancel all for free: ${images} made or still being created; find them in the studio`;
}

const interrupted = shutdownRequested();
const abort = new AbortController();
interrupted.then(() => abort.abort());
let stack: Stack | undefined;
let failed = false;
try {
  const options = readOptions();
  if (options.url === undefined) {
    console.log('Starting Packshot …');
    stack = await startStack({ port: 0, web: 'none', signal: abort.signal });
    if (!stack.hasDemoSeller && options.email === demoSeller.email) {
      throw new DemoError(
        'the demo seller exists only with the local database and the local Stripe: pass --email and --password',
      );
    }
  }
  const credentials = { email: options.email, password: options.password };
  const client =
    options.url === undefined
      ? createClient(stack!.url, await signIn(stack!.url, credentials))
      : await signInOnce(options.url, credentials, createSessionStore(join(rootFolder, '.data', 'sessions')));
  await run(client, options, interrupted);
} catch (error) {
  failed = true;
  const { message } = error as Error;
  if (error instanceof StackError) {
    const hint = /already runs/.test(message) ? ' (pass --url with that address)' : '';
    console.error(`demo: ${message}${hint}`);
    for (const line of error.logLines) console.error(`  | ${line}`);
  } else if (error instanceof DemoError) console.error(`demo: ${message}`);
  else if (abort.signal.aborted) console.error('demo: interrupted');
  else console.error('demo:', error);
}
await stack?.close();
// The last lines must be written before the process exits.
if (process.stdout.writableLength > 0) await once(process.stdout, 'drain');
process.exit(failed ? 1 : 0);
