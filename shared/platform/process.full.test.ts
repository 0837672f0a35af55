/** The ways in which a process closes and starts that `process.test.ts` leaves out. */
import { expect, test } from 'vitest';
import { startTestProgram } from '#tests/support/test-program.ts';

test.for(['SIGINT', 'SIGHUP'] as const)('%s closes it, and it exits with 0', async (signal) => {
  const program = startTestProgram(`await run(async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    console.error('closed');
  });`);
  expect(await program.message()).toEqual({ ready: true, url: 'http://localhost:1' });
  program.child.kill(signal);
  expect(await program.ended).toEqual({ code: 0, errors: `info closing ${signal}\nclosed\n` });
});

test('an unhandled rejection closes it, and it exits with 1', async () => {
  const program = startTestProgram(`await run(async () => console.error('closed'));
    Promise.reject(new Error('broken'));`);
  expect(await program.ended).toEqual({ code: 1, errors: 'fatal uncaught error, closing broken\nclosed\n' });
});

test('a second signal ends it at once, with 1', async () => {
  const program = startTestProgram('await run(() => { closing(); return new Promise(() => {}); });');
  await program.message();
  program.child.kill('SIGTERM');
  expect(await program.message()).toBe('closing');
  program.child.kill('SIGTERM');
  const { code, errors } = await program.ended;
  expect(code).toBe(1);
  expect(errors).toContain('fatal second signal while closing: SIGTERM');
});

test('an error while it closes ends it at once, with 1', async () => {
  const program = startTestProgram(`await run(() => {
    setTimeout(() => { throw new Error('broken'); });
    return new Promise(() => {});
  });`);
  await program.message();
  program.child.kill('SIGTERM');
  const { code, errors } = await program.ended;
  expect(code).toBe(1);
  expect(errors).toContain('fatal another uncaught error while closing broken');
});

test('a close that fails exits with 1', async () => {
  const program = startTestProgram("await run(async () => { throw new Error('no store'); });");
  await program.message();
  program.child.kill('SIGTERM');
  const { code, errors } = await program.ended;
  expect(code).toBe(1);
  expect(errors).toContain('fatal could not close cleanly no store');
});

test('a signal during the start ends it, with 0', async () => {
  const program = startTestProgram(
    "await runProcess('test', 10_000, () => { process.send('starting'); return new Promise(() => {}); });",
  );
  expect(await program.message()).toBe('starting');
  program.child.kill('SIGTERM');
  expect(await program.ended).toEqual({ code: 0, errors: '' });
});

test('an invalid setting is named in one line, with exit code 1', async () => {
  const program = startTestProgram("configOrExit('server');", { PORT: 'high' });
  const { code, errors } = await program.ended;
  expect(code).toBe(1);
  expect(errors).toMatch(/^packshot server: .*PORT: .*\n$/);
});

test('a fault in the process ends it at once', async () => {
  const program = startTestProgram("await run(async () => console.error('closed'));");
  await program.message();
  program.child.kill('SIGABRT');
  expect(await program.ended).toEqual({ code: null, errors: '' });
});
