/** `npm run demo`: creates one image from the command line, with a stack of its own or a running one. */
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { downloadName, errorDefinitions, limits, withTemplate } from '#contract';
import { shutdownRequested } from '#local/shutdown-request.ts';
import { invocationFolder } from '#scripts/npm.ts';
import { StackError } from '#scripts/start/process.ts';
import { demoSeller } from '#scripts/start/seller.ts';
import { type Stack, startStack } from '#scripts/start/stack.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { type Client, createClient, DemoError, signIn } from './client.ts';
import { startProgress } from './progress.ts';
import { createSessionStore, signInOnce } from './sessions.ts';

const usage = `Usage: npm run demo -- [PHOTO…] [--scene TEXT] [--out FILE] [--url URL]
  PHOTO             up to ${limits.photos} product photos; without one, the mug in scripts/local/photos
  --scene TEXT      description of the scene
  --out FILE        file for the image; default <product name>-<date>.png in this folder
  --name TEXT       name of the product; default: the first photo's file name
  --url URL         address of a running Packshot; by default the command starts one
  --email, --password   seller to sign in as; default: the demo seller`;

const defaultScene = withTemplate(
  'Product on Wooden Table',
  'a walnut table by a window, soft morning light, a calm warm room behind',
);

interface DemoOptions {
  photos: string[];
  scene: string;
  productName: string;
  /** Undefined: a name made of product and date. */
  out: string | undefined;
  url: string | undefined;
  email: string;
  password: string;
}

/** Reads the command line. Paths are relative to the folder in which the user typed the command. */
function readOptions(): DemoOptions {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      scene: { type: 'string', default: defaultScene },
      out: { type: 'string' },
      name: { type: 'string' },
      url: { type: 'string' },
      email: { type: 'string', default: demoSeller.email },
      password: { type: 'string', default: demoSeller.password },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  const photos =
    positionals.length > 0
      ? positionals.map((photo) => resolve(invocationFolder(), photo))
      : [join(rootFolder, 'scripts', 'local', 'photos', 'mug-1.jpg')];
  if (photos.length > limits.photos) throw new DemoError(errorDefinitions.TOO_MANY_FILES[1]);
  for (const photo of photos) {
    if (statSync(photo, { throwIfNoEntry: false })?.isFile() !== true) {
      throw new DemoError(`there is no photo ${displayPath(photo)}`);
    }
  }
  const out = values.out === undefined ? undefined : resolve(invocationFolder(), values.out);
  if (out !== undefined && !existsSync(dirname(out))) {
    throw new DemoError(`there is no folder ${displayPath(dirname(out))} to write to`);
  }
  if (values.url !== undefined && !/^https?:\/\//.test(values.url)) {
    throw new DemoError('--url takes an address that starts with http:// or https://');
  }
  return {
    photos,
    scene: values.scene,
    productName: (values.name ?? productNameOf(photos[0]!)).slice(0, limits.productNameCharacters),
    out,
    url: values.url?.replace(/\/+$/, ''),
    email: values.email,
    password: values.password,
  };
}

/** The product's name: the photo's file name without a number at its end. */
function productNameOf(photo: string): string {
  const name = basename(photo, extname(photo)).replaceAll(/[-_]+/g, ' ').trim();
  return name.replace(/ \d{1,2}$/, '');
}

/** A path as the user would type it. */
function displayPath(file: string): string {
  const short = relative(invocationFolder(), file);
  return short.startsWith('..') ? file : short;
}

async function run(client: Client, options: DemoOptions, interrupted: Promise<void>): Promise<void> {
  const { photos, scene } = options;
  console.log(`${photos.map(displayPath).join(', ')}\n“${scene}”\n`);
  const display = startProgress(process.stdout);
  const began = performance.now();
  const first = await client.submit(options);
  const last = await Promise.race([client.follow(first, display.show), interrupted]).finally(display.end);
  if (last === undefined) {
    const cancelled = await client.cancel(first.id).then(
      () => true,
      () => false,
    );
    throw new DemoError(
      cancelled
        ? 'interrupted: cancelled, no image was used'
        : 'interrupted too late to cancel for free: the image is still being created and uses 1 image; find it in the studio',
    );
  }
  if (last.image === null) throw new DemoError(`no image: ${last.failure?.message ?? last.state}`);

  const bytes = await client.download(last.image.url);
  const name = downloadName(last.productName, last.createdAt);
  const out = options.out ?? resolve(invocationFolder(), name);
  await writeFile(out, bytes);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(`\n${displayPath(out)}: ${last.image.width} × ${last.image.height}, after ${seconds} s`);
  const { subscription, imageProvider } = await client.me();
  if (!subscription.unlimited) console.log(`${subscription.generationsLeft} images left.`);
  if (imageProvider === 'local') console.log('Local renderer: set OPENAI_API_KEY for AI images.');
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
  const { message, code } = error as NodeJS.ErrnoException;
  if (error instanceof StackError) {
    const hint = /already runs/.test(message) ? ' (pass --url with that address)' : '';
    console.error(`demo: ${message}${hint}`);
    for (const line of error.logLines) console.error(`  | ${line}`);
  } else if (error instanceof DemoError) console.error(`demo: ${message}`);
  else if (code?.startsWith('ERR_PARSE_ARGS')) console.error(`demo: ${message}\n${usage}`);
  else if (abort.signal.aborted) console.error('demo: interrupted');
  else console.error('demo:', error);
}
await stack?.close();
// The last lines must be written before the process exits.
if (process.stdout.writableLength > 0) await once(process.stdout, 'drain');
process.exit(failed ? 1 : 0);
