/**
 * No thread of Packshot loads native code: a thread that ends in the middle of native code ends its whole process, by SIGABRT.
 * What may have to be given up is a process of its own (shared/platform/job-process.ts).
 */
import { execFile } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { rootFolder } from '#shared/platform/root-folder.ts';

/** Prints the native modules that importing a program loads, and ends. */
const tracer = `
  const { dlopen } = process;
  process.dlopen = (module, file, ...rest) => {
    console.log(file);
    return dlopen.call(process, module, file, ...rest);
  };
  // A program for a thread fails here, after its imports.
  await import(process.argv[1]).catch(() => {});
  process.exit();`;

/** File names of the native modules that a program loads when it starts. @param program path in the checkout */
async function nativeModulesOf(program: string): Promise<string[]> {
  const url = pathToFileURL(join(rootFolder, program)).href;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    tracer,
    url,
  ]);
  return stdout.split('\n').filter(Boolean);
}

/** The programs of the threads that product code starts. */
async function threadPrograms(): Promise<string[]> {
  const programs: string[] = [];
  const folders = '{server,worker,shared,scripts}/**/*.ts';
  for await (const file of glob(folders, {
    cwd: rootFolder,
    exclude: ['**/node_modules/**', '**/*.test.ts'],
  })) {
    const text = await readFile(join(rootFolder, file), 'utf8');
    if (!/\bWorker\b.*from 'node:worker_threads'/.test(text)) continue;
    const found = [...text.matchAll(/new URL\('([^']+)', import\.meta\.url\)/g)].map(([, path]) =>
      join(file, '..', path!),
    );
    // Otherwise nobody knows what its threads load.
    expect(found, `${file} names the programs of its threads`).not.toEqual([]);
    programs.push(...found);
  }
  return programs;
}

test('no thread that product code starts loads native code', async () => {
  const programs = await threadPrograms();
  expect(programs).toEqual(
    expect.arrayContaining(['worker/product-match/watchdog.ts', 'worker/providers/openai/thread.ts']),
  );
  const loaded = await Promise.all(
    programs.map(async (program) => ({ program, native: await nativeModulesOf(program) })),
  );
  expect(loaded.filter(({ native }) => native.length > 0)).toEqual([]);
});

test('the native code of processes of their own is found', async () => {
  for (const program of [
    'worker/product-match/main.ts',
    'server/photo-checks/main.ts',
    'server/sketches/main.ts',
    'scripts/local/openai/render-process.ts',
  ]) {
    const native = (await nativeModulesOf(program)).join('\n');
    expect(native, program).toContain('onnxruntime');
    expect(native, program).toContain('sharp');
  }
});

test('the server loads no image library: pictures of sellers are opened in decoder processes only', async () => {
  expect((await nativeModulesOf('server/server.ts')).join('\n')).not.toMatch(/sharp|onnxruntime/);
  const decoder = (await nativeModulesOf('server/decoder/main.ts')).join('\n');
  expect(decoder).toContain('sharp');
  // Loaded with the first image whose product it has to find.
  expect(decoder).not.toContain('onnxruntime');
});

test('the worker loads no onnxruntime', async () => {
  expect((await nativeModulesOf('worker/worker.ts')).join('\n')).not.toContain('onnxruntime');
});
