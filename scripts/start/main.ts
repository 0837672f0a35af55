/** `npm start`: all of Packshot on this machine. `npm run dev` (`--dev`): the same, following the sources. */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { shutdownRequested } from '#local/shutdown-request.ts';
import { makeFirstImages } from './first-images.ts';
import { StackError } from './process.ts';
import { demoSeller } from './seller.ts';
import { type Stack, startStack } from './stack.ts';

const { values } = parseArgs({ options: { dev: { type: 'boolean', default: false } } });
const end = shutdownRequested();
const giveUp = new AbortController();
end.then(() => giveUp.abort());

try {
  const stack = await startStack({ web: values.dev ? 'dev' : 'build', signal: giveUp.signal, say });
  console.log(welcome(stack));
  // In the background: nobody waits for these images before signing in.
  const firstImages = startFirstImages(stack);
  const broken = await Promise.race([end, stack.broken]);
  if (broken === undefined) {
    console.log('\npackshot: ending …');
    // Long enough to cancel the image under way, for which the worker would wait.
    await Promise.race([firstImages, wait(2_000)]);
  } else complain(broken);
  await stack.close();
  process.exit(broken === undefined ? 0 : 1);
} catch (error) {
  if (giveUp.signal.aborted) process.exit(0);
  complain(error);
  process.exit(1);
}

function say(line: string): void {
  console.log(`packshot: ${line}`);
}

/** Only where it costs nothing and shows a studio that nobody has used: the local renderer, a seller made just now. */
async function startFirstImages(stack: Stack): Promise<void> {
  const rendersHere = stack.local.some(({ name }) => name === 'openai');
  if (!stack.isNewDemoSeller || !rendersHere) return;
  const line = await makeFirstImages(stack.url, demoSeller, giveUp.signal);
  if (line !== undefined) say(line);
}

function welcome(stack: Stack): string {
  const seconds = (performance.now() / 1_000).toFixed(1);
  const local = stack.local.map(({ stands, setting }) => `${stands} (${setting} is not set)`);
  return [
    `\nPackshot is ready after ${seconds} s.\n`,
    `  Address   ${stack.devUrl ?? stack.url}`,
    ...(stack.devUrl === undefined ? [] : [`  API       ${stack.url}`]),
    stack.hasDemoSeller
      ? `  Sign in   ${demoSeller.email}   ${demoSeller.password}`
      : '  Sign in   no demo seller, since HOST, MONGODB_URL or Stripe is not of this machine alone',
    ...(stack.pages.mail === undefined ? [] : [`  Mail      ${stack.pages.mail}`]),
    ...(stack.pages.stripe === undefined
      ? []
      : [`  Payments  ${stack.pages.stripe} (test cards, a clock to move)`]),
    `  Local     ${local.length > 0 ? local.join('\n            ') : 'nothing: every service is configured'}`,
    '  Data      .data, logs in .data/logs',
    '\nCtrl-C ends it.',
  ].join('\n');
}

function complain(error: unknown): void {
  if (!(error instanceof StackError)) {
    console.error('packshot:', error);
    return;
  }
  console.error(`packshot: ${error.message}`);
  for (const line of error.logLines) console.error(`  | ${line}`);
}
