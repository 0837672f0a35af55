/** `npm run demo`: the main job without a browser, against a stack of its own or one that runs. */
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
  --scene TEXT      what the product stands on and in
  --out FILE        where the image goes; <product name>-<date>.png in this folder unless given
  --name TEXT       the product's name; the first photo's file name unless given
  --url URL         a Packshot that runs, instead of starting one
  --email, --password   who signs in there; the demo seller unless given`;

const defaultScene = withTemplate(
  'Product on Wooden Table',
  'a walnut table by a window, soft morning light, a calm warm room behind',
);

interface DemoOptions {
  photos: string[];
  scene: string;
  productName: string;
  /** Undefined: named by the product and the date. */
  out: string | undefined;
  url: string | undefined;
  email: string;
  password: string;
}

/** Paths are relative to the folder in which the command was typed. */
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
      throw new DemoError(`there is no photo ${shown(photo)}`);
    }
  }
  const out = values.out === undefined ? undefined : resolve(invocationFolder(), values.out);
  if (out !== undefined && !existsSync(dirname(out))) {
    throw new DemoError(`there is no folder ${shown(dirname(out))} to write to`);
  }
  if (values.url !== undefined && !/^https?:\/\//.test(values.url)) {
    throw new DemoError('--url takes an address that starts with http:// or https://');
  }
  return {
    photos,
    scene: values.scene,
    productName: (values.name ?? nameOf(photos[0]!)).slice(0, limits.productNameCharacters),
    out,
    url: values.url?.replace(/\/+$/, ''),
    email: values.email,
    password: values.password,
  };
}

/** A product's name from its photo's file name, without the number that tells several photos apart. */
function nameOf(photo: string): string {
  const words = basename(photo, extname(photo)).replaceAll(/[-_]+/g, ' ').trim();
  return words.replace(/ \d{1,2}$/, '');
}

/** A path as the person who typed the command would write it. */
function shown(file: string): string {
  const short = relative(invocationFolder(), file);
  return short.startsWith('..') ? file : short;
}

async function run(client: Client, wishes: DemoOptions, interrupted: Promise<void>): Promise<void> {
  const { photos, scene } = wishes;
  console.log(`${photos.map(shown).join(', ')}\n“${scene}”\n`);
  const display = startProgress(process.stdout);
  const began = performance.now();
  const first = await client.submit(wishes);
  const last = await Promise.race([client.follow(first, display.show), interrupted]).finally(display.end);
  if (last === undefined) {
    const cancelled = await client.cancel(first.id).then(
      () => true,
      () => false,
    );
    throw new DemoError(
      cancelled
        ? 'interrupted: the generation was cancelled and is not counted'
        : 'interrupted too late to cancel for free: the image is finished in the studio and counted',
    );
  }
  if (last.image === null) throw new DemoError(`no image: ${last.failure?.message ?? last.state}`);

  const bytes = await client.download(last.image.url);
  const name = downloadName(last.productName, last.createdAt);
  const out = wishes.out ?? resolve(invocationFolder(), name);
  await writeFile(out, bytes);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(`\n${shown(out)}: ${last.image.width} × ${last.image.height}, after ${seconds} s`);
  const { subscription, imageProvider } = await client.me();
  if (!subscription.unlimited) console.log(`${subscription.generationsLeft} generations are left.`);
  if (imageProvider === 'local') console.log('Local renderer: set OPENAI_API_KEY for AI images.');
}

const interrupted = shutdownRequested();
const giveUp = new AbortController();
interrupted.then(() => giveUp.abort());
let stack: Stack | undefined;
let failed = false;
try {
  const wishes = readOptions();
  if (wishes.url === undefined) {
    console.log('Starting Packshot …');
    stack = await startStack({ port: 0, web: 'none', signal: giveUp.signal });
    if (!stack.hasDemoSeller && wishes.email === demoSeller.email) {
      throw new DemoError(
        'the demo seller is made only where database and Stripe are the local ones: pass --email and --password',
      );
    }
  }
  const credentials = { email: wishes.email, password: wishes.password };
  const client =
    wishes.url === undefined
      ? createClient(stack!.url, await signIn(stack!.url, credentials))
      : await signInOnce(wishes.url, credentials, createSessionStore(join(rootFolder, '.data', 'sessions')));
  await run(client, wishes, interrupted);
} catch (error) {
  failed = true;
  const { message, code } = error as NodeJS.ErrnoException;
  if (error instanceof StackError) {
    const hint = /already runs/.test(message) ? ' (pass --url with that address)' : '';
    console.error(`demo: ${message}${hint}`);
    for (const line of error.logLines) console.error(`  | ${line}`);
  } else if (error instanceof DemoError) console.error(`demo: ${message}`);
  else if (code?.startsWith('ERR_PARSE_ARGS')) console.error(`demo: ${message}\n${usage}`);
  else if (giveUp.signal.aborted) console.error('demo: interrupted');
  else console.error('demo:', error);
}
await stack?.close();
// What was printed last must be out before the process ends.
if (process.stdout.writableLength > 0) await once(process.stdout, 'drain');
process.exit(failed ? 1 : 0);
