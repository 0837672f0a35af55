/**
 * `npm run campaign -- schemathesis`: sends what the API's document allows, and what it does not, to every operation of a
 * Packshot of its own, as a seller and as an operator. Ends with 1 if a reply is a 5xx or not as documented, or if a request
 * that the document allows is refused. `--cases 30` is how many random ones each operation gets, besides those at the limits.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { paths } from '#contract';
import { readCommandLine } from '#scripts/command-line.ts';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { hashPassword } from '#server/accounts/passwords/passwords.ts';
import { openAccount, openOperator } from '#tests/campaigns/support/accounts.ts';
import { pythonPrograms } from '#tests/campaigns/support/python.ts';
import { onStack } from '#tests/campaigns/support/stack.ts';

const {
  values: { cases },
} = readCommandLine('schemathesis', {
  typed: 'npm run campaign -- schemathesis',
  about: 'Sends what the API document allows, and what it does not, to every operation.',
  options: { cases: { takes: 'COUNT', default: 30, about: 'random requests for each operation' } },
});

/** They would end the session of all others. */
const endSessions = ['signOut', 'endAllSessions', 'endSession'];

/** Where schemathesis finds the check. */
const ofPython = {
  PYTHONPATH: import.meta.dirname,
  SCHEMATHESIS_HOOKS: 'refusals',
  PYTHONDONTWRITEBYTECODE: '1',
};

const programs = await pythonPrograms('schemathesis==4.32.5');

const folder = await mkdtemp(join(tmpdir(), 'packshot-schemathesis-'));

process.exitCode = await onStack({}, async (stack) => {
  const password = await hashPassword(randomUUID(), 'this program');
  const seller = await openAccount(stack, 'enterprise', password);
  const operator = await openOperator(stack);
  const ofSeller = await attack(stack.url, seller.token, ['--exclude-tag', 'operator']);
  const ofOperator = await attack(stack.url, operator.token, ['--include-tag', 'operator']);
  return ofSeller || ofOperator;
}).finally(() => rm(folder, { recursive: true, force: true }));

/** @returns the exit code of schemathesis: 0 if it found nothing */
async function attack(url: string, token: string, operations: string[]): Promise<number> {
  // One worker: in Python 3.11 two threads of schemathesis disturb each other.
  const args = [
    ['--config-file', join(import.meta.dirname, 'schemathesis.toml'), 'run', `${url}${paths.docs}/json`],
    ['--phases', 'examples,coverage,fuzzing', '--max-examples', String(cases), '--workers', '1'],
    ['--header', `Authorization: Bearer ${token}`, '--no-color', '--warnings', 'off'],
    operations,
    endSessions.flatMap((id) => ['--exclude-operation-id', id]),
  ];
  const child = spawn(join(programs, 'schemathesis'), args.flat(), {
    env: { ...childEnvironment({}), ...ofPython },
    stdio: 'inherit',
    // It keeps what it found in the folder in which it runs.
    cwd: folder,
  });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
