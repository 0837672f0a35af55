/** `npm start`: all of Packshot on this machine. `npm run dev` (`--dev`): the same, restarting after changes. */
import { setTimeout as wait } from 'node:timers/promises';
import { shutdownRequested } from '#local/shutdown-request.ts';
import { readCommandLine } from '#scripts/command-line.ts';
import { demoSeller } from './demo-sellers.ts';
import { StackError } from './process.ts';
import { type Stack, startStack } from './stack.ts';

const { values } = readCommandLine('packshot', {
  typed: 'npm start --',
  about:
    'Builds the web app, and runs it with the server, a worker and the stand-ins that are needed, until Ctrl-C.',
  options: { dev: { about: 'restarts what has changed, as npm run dev does' } },
});
const shutdown = shutdownRequested();
const abort = new AbortController();
shutdown.then(() => abort.abort());

try {
  const stack = await startStack({ web: values.dev ? 'dev' : 'build', signal: abort.signal, report });
  console.log(welcome(stack));
  // In the background: the developer can sign in meanwhile.
  const firstImages = startFirstImages(stack);
  const failure = await Promise.race([shutdown, stack.failure]);
  if (failure === undefined) {
    console.log('\npackshot: closing …');
    // Long enough to cancel the current image, for which the worker would wait.
    await Promise.race([firstImages, wait(2_000)]);
  } else printError(failure);
  await stack.close();
  process.exit(failure === undefined ? 0 : 1);
} catch (error) {
  if (abort.signal.aborted) process.exit(0);
  printError(error);
  process.exit(1);
}

function report(line: string): void {
  console.log(`packshot: ${line}`);
}

/** Only with the local renderer, which costs nothing, and only for a demo seller that this start created. */
async function startFirstImages(stack: Stack): Promise<void> {
  if (!stack.isNewDemoSeller || !hasLocalRenderer(stack)) return;
  // Only the first start of all needs it.
  const { makeFirstImages } = await import('./first-images.ts');
  const line = await makeFirstImages(stack.url, demoSeller, abort.signal);
  if (line !== undefined) report(line);
}

function hasLocalRenderer(stack: Stack): boolean {
  return stack.localServices.some(({ name }) => name === 'openai');
}

function welcome(stack: Stack): string {
  const seconds = (performance.now() / 1_000).toFixed(1);
  const local = stack.localServices.map(
    ({ description, setting }) => `${description} (${setting} is not set)`,
  );
  return [
    `\nPackshot is ready after ${seconds} s.\n`,
    `  Address   ${stack.devUrl ?? stack.url}`,
    ...(stack.devUrl === undefined ? [] : [`  API       ${stack.url}`]),
    stack.hasDemoSeller
      ? `  Sign in   ${demoSeller.email}   ${demoSeller.password}`
      : '  Sign in   no demo seller, because HOST, MONGODB_URL or Stripe can be reached from other machines',
    ...(stack.pages.mail === undefined ? [] : [`  Mail      ${stack.pages.mail}`]),
    ...(stack.pages.stripe === undefined
      ? []
      : [`  Payments  ${stack.pages.stripe} (test cards, a clock to move)`]),
    `  Local     ${local.length > 0 ? local.join('\n            ') : 'nothing, every service is configured'}`,
    ...(hasLocalRenderer(stack) ? ['  Images    local renderer; set OPENAI_API_KEY for AI images'] : []),
    '  Data      .data, logs in .data/logs',
    '\nCtrl-C ends it.',
  ].join('\n');
}

function printError(error: unknown): void {
  if (!(error instanceof StackError)) {
    console.error('packshot:', error);
    return;
  }
  console.error(`packshot: ${error.message}`);
  for (const line of error.logLines) console.error(`  | ${line}`);
}
