/** `npm start`: all of Packshot on this machine. `npm run dev` (`--dev`): the same, following the sources. */
import { parseArgs } from 'node:util';
import { askedToEnd } from './lifetime.ts';
import { StackError } from './start/process.ts';
import { demoSeller } from './start/seller.ts';
import { type Stack, startStack } from './start/stack.ts';

const { values } = parseArgs({ options: { dev: { type: 'boolean', default: false } } });
const end = askedToEnd();
const giveUp = new AbortController();
end.then(() => giveUp.abort());

try {
  const stack = await startStack({
    web: values.dev ? 'dev' : 'build',
    signal: giveUp.signal,
    say: (line) => console.log(`packshot: ${line}`),
  });
  console.log(welcome(stack));
  const broken = await Promise.race([end, stack.broken]);
  if (broken === undefined) console.log('\npackshot: ending …');
  else complain(broken);
  await stack.close();
  process.exit(broken === undefined ? 0 : 1);
} catch (error) {
  if (giveUp.signal.aborted) process.exit(0);
  complain(error);
  process.exit(1);
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
      : '  Sign in   no demo seller, since MONGODB_URL or Stripe is not of this machine',
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
