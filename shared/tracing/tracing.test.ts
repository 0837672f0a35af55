import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { rootFolder } from '#shared/platform/root-folder.ts';

/** Imports all of server and worker, and prints which modules of OpenTelemetry were loaded. */
const program = `
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (/@opentelemetry\\/(?!api\\/)|bullmq-otel|@fastify\\/otel/.test(url)) console.log(url);
      return next(url, context);
    },
  });
  const url = (path) => '${pathToFileURL(rootFolder).href}/' + path;
  await Promise.all(['server/server.ts', 'worker/worker.ts'].map((path) => import(url(path))));
  const { startTracing } = await import(url('shared/tracing/tracing.ts'));
  for (const otlpEndpoint of [undefined, 'http://127.0.0.1:1']) {
    const tracing = await startTracing({ otlpEndpoint }, 'test', {});
    console.log(tracing === null ? 'off' : 'on');
    await tracing?.close();
  }
  process.exit(0);
`;

test('without an endpoint nothing of OpenTelemetry is loaded; with one it is', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: rootFolder,
  });
  const lines = stdout.trim().split('\n');
  // What was loaded before would be printed before.
  expect(lines[0]).toBe('off');
  expect(lines.at(-1)).toBe('on');
  expect(lines.some((line) => line.includes('@opentelemetry/sdk-trace'))).toBe(true);
});
