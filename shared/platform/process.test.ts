/** How a process closes and starts. The less usual ways are in the full tier. */
import { expect, test } from 'vitest';
import { startTestProgram } from '#tests/support/test-program.ts';

test('SIGTERM closes it, and it exits with 0', async () => {
  const program = startTestProgram(`await run(async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    console.error('closed');
  });`);
  expect(await program.message()).toEqual({ ready: true, url: 'http://localhost:1' });
  program.child.kill('SIGTERM');
  expect(await program.ended).toEqual({ code: 0, errors: 'info closing SIGTERM\nclosed\n' });
});

test('a misspelled setting is logged when it has started', async () => {
  const program = startTestProgram('await run(async () => {});', { STRIPE_SECRET_KY: 'sk_live_1' });
  await program.message();
  program.child.kill('SIGTERM');
  expect((await program.ended).errors).toContain(
    'warn STRIPE_SECRET_KY is no setting: did you mean STRIPE_SECRET_KEY? See docs/settings.md.\n',
  );
});

test('an uncaught exception closes it, and it exits with 1', async () => {
  const program = startTestProgram(`await run(async () => console.error('closed'));
    setTimeout(() => { throw new Error('broken'); });`);
  expect(await program.ended).toEqual({ code: 1, errors: 'fatal uncaught error, closing broken\nclosed\n' });
});

test('a close that takes longer than its limit is cut off, with 1', async () => {
  const program = startTestProgram('await run(() => new Promise(() => {}), 100);');
  await program.message();
  program.child.kill('SIGTERM');
  const { code, errors } = await program.ended;
  expect(code).toBe(1);
  expect(errors).toContain('fatal closing took longer than 100 ms');
});

test('a start that fails says why in one line and exits with 1', async () => {
  const failing = startTestProgram(
    "await runProcess('test', 10_000, async () => { throw new Error('no store\\nat line 1'); });",
  );
  expect(await failing.ended).toEqual({ code: 1, errors: 'packshot test: no store\n' });
  const misspelled = startTestProgram(
    "await runProcess('test', 10_000, async () => { throw new Error('QUEUE_URL is not set'); });",
    { QEUEU_URL: 'redis://me:hunter2@redis' },
  );
  expect((await misspelled.ended).errors).toBe(
    'packshot test: QUEUE_URL is not set\npackshot test: QEUEU_URL is no setting: did you mean QUEUE_URL? See docs/settings.md.\n',
  );
  const taken = startTestProgram(
    "await runProcess('test', 10_000, async () => { throw Object.assign(new Error(), { code: 'EADDRINUSE' }); });",
  );
  expect((await taken.ended).errors).toMatch(/^packshot test: its port is taken\./);
});
