/**
 * `npm run campaign -- schemathesis`: sends what the API's document allows, and what it does not, to every operation of a
 * Packshot of its own, as a seller and as an operator. Ends with 1 if a reply is a 5xx or not as documented, or if a request
 * that the document allows is refused. `--cases 30` is how many random ones each operation gets, besides those at the limits.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { paths } from '#contract';
import { readCommandLine } from '#scripts/command-line.ts';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { pythonPrograms } from '#tests/campaigns/support/python.ts';
import { onStack } from '#tests/campaigns/support/stack.ts';
import { samplePhotoFile } from '#tests/support/sample-photo.ts';
import { type ApiDocument, mailSecret, makeKnown } from './known.ts';
import { findUnreached } from './unreached.ts';

const {
  values: { cases, operation },
} = readCommandLine('schemathesis', {
  typed: 'npm run campaign -- schemathesis',
  about: 'Sends what the API document allows, and what it does not, to every operation.',
  options: {
    operation: { takes: 'ID', about: 'only the operation with this operationId' },
    cases: { takes: 'COUNT', default: 30, about: 'random requests for each operation' },
  },
});

const folder = await mkdtemp(join(tmpdir(), 'packshot-schemathesis-'));
const knownFile = join(folder, 'known.json');
const answersFile = join(folder, 'answers.json');

/** Where schemathesis finds the check. */
const ofPython = {
  PYTHONPATH: import.meta.dirname,
  SCHEMATHESIS_HOOKS: 'refusals',
  PYTHONDONTWRITEBYTECODE: '1',
  PACKSHOT_KNOWN: knownFile,
  PACKSHOT_ANSWERS: answersFile,
};

const programs = await pythonPrograms('schemathesis==4.32.5');

process.exitCode = await onStack({ settings: { MAIL_WEBHOOK_SECRET: mailSecret } }, async (stack) => {
  const document = (await (await fetch(`${stack.url}${paths.docs}/json`)).json()) as ApiDocument;
  const operations = await makeKnown(stack, document, operation);
  await writeFile(knownFile, JSON.stringify({ photoFile: samplePhotoFile, operations }));
  if (operation !== undefined)
    return (await attack(stack.url, ['--include-operation-id', operation])) ? 0 : 1;
  const ofSeller = await attack(stack.url, ['--exclude-tag', 'operator']);
  const ofOperator = await attack(stack.url, ['--include-tag', 'operator']);
  return ofSeller && ofOperator ? 0 : 1;
}).finally(() => rm(folder, { recursive: true, force: true }));

/** @returns whether nothing was found, and each operation did what was asked for at least once */
async function attack(url: string, operations: string[]): Promise<boolean> {
  // One worker: in Python 3.11 two threads of schemathesis disturb each other.
  const args = [
    ['--config-file', join(import.meta.dirname, 'schemathesis.toml'), 'run', `${url}${paths.docs}/json`],
    ['--phases', 'examples,coverage,fuzzing', '--max-examples', String(cases), '--workers', '1'],
    ['--no-color', '--warnings', 'off'],
    operations,
  ];
  const child = spawn(join(programs, 'schemathesis'), args.flat(), {
    env: { ...childEnvironment({}), ...ofPython },
    stdio: 'inherit',
    // It keeps what it found in the folder in which it runs.
    cwd: folder,
  });
  const [code] = await once(child, 'exit');
  const problems = findUnreached(JSON.parse(await readFile(answersFile, 'utf8')));
  for (const problem of problems) console.error(`schemathesis: ${problem}`);
  return code === 0 && problems.length === 0;
}
