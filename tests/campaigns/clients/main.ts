/**
 * `npm run campaign -- clients`: generates clients from the API's document, in Python and in TypeScript, and calls a Packshot of
 * its own with the one in Python. Ends with 1 if a generator leaves anything out, or a call gives something else than it should.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { paths } from '#contract';
import { readCommandLine } from '#scripts/command-line.ts';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { demoSeller } from '#scripts/start/demo-sellers.ts';
import { makeSellers } from '#scripts/start/seller.ts';
import { pythonPrograms } from '#tests/campaigns/support/python.ts';
import { type CampaignStack, onStack } from '#tests/campaigns/support/stack.ts';
import { samplePhotoFile, samplePrompt } from '#tests/support/sample-photo.ts';

readCommandLine('clients', {
  typed: 'npm run campaign -- clients',
  about: 'Generates clients from the API document, and calls a Packshot of its own with them.',
});

const run = promisify(execFile);
const programs = await pythonPrograms('openapi-python-client==0.29.1');
const folder = await mkdtemp(join(tmpdir(), 'packshot-clients-'));
try {
  await onStack({}, async (stack) => {
    const document = join(folder, 'openapi.json');
    await writeFile(document, await (await fetch(`${stack.url}${paths.docs}/json`)).text());
    await inPython(stack, document);
    await inTypeScript(document);
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** @throws Error when a warning is printed, or a call fails */
async function inPython(stack: CampaignStack, document: string): Promise<void> {
  const config = join(import.meta.dirname, 'python.yml');
  const output = join(folder, 'packshot_client');
  const generate = ['generate', '--path', document, '--output-path', output, '--config', config];
  // Its formatter is looked for in the path.
  const usual = childEnvironment({});
  const env = { ...usual, PATH: `${programs}:${usual.PATH}` };
  const flags = ['--meta', 'none', '--fail-on-warning'];
  await run(join(programs, 'openapi-python-client'), [...generate, ...flags], { env });
  const { email, password } = demoSeller;
  const { mongodbUrl, billing } = stack.config;
  await makeSellers({ mongodbUrl, stripeUrl: billing.apiUrl! }, [demoSeller]);
  const program = join(import.meta.dirname, 'use_client.py');
  const args = [program, stack.url, email, password, samplePhotoFile, samplePrompt];
  const { stdout } = await run(join(programs, 'python'), args, { env: { ...env, PYTHONPATH: folder } });
  console.log(`Python:\n${stdout}`);
}

/** @throws Error when the types cannot be generated */
async function inTypeScript(document: string): Promise<void> {
  const generate = ['--yes', 'openapi-typescript@7.13.0', document, '--output', join(folder, 'packshot.ts')];
  await run('npx', generate, { env: childEnvironment({}), cwd: folder });
  console.log('TypeScript: types of all operations');
}
