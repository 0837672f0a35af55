/** Who may use the operator's routes: operators with two-factor sign-in, and nobody else. */
import { expect } from 'vitest';
import { type OperatorActionList, operatorPaths } from '#contract';
import { operatorAction } from '#scripts/operator/operator.ts';
import { call, turnOnTwoFactor } from '#tests/support/account.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { answerOf, expectError } from '#tests/support/errors.ts';
import { operatorOf, operatorOperations } from '#tests/support/operator.ts';
import type { Answer } from '#tests/support/seller.ts';
import { testWithStack } from '#tests/support/test.ts';
import { newAddress } from '#tests/support/visitor.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';

const test = testWithStack({ workers: 0 });

test('every route refuses strangers, sellers, and operators without two-factor sign-in', async ({
  stack,
}) => {
  const operations = await operatorOperations(stack.url);
  expect(operations.length).toBeGreaterThan(2);
  const [seller, operator] = await Promise.all([stack.seller(), operatorOf(stack)]);
  const unprotected = await operatorOf(stack);
  await stack.models.profiles.updateOne({ _id: unprotected.id }, { $set: { two_factor_enabled: false } });
  for (const [method, path] of operations) {
    expectError(await answerOf(fetch(stack.url + path, { method })), 'UNAUTHENTICATED');
    expectError(await seller.request(path, { method }), 'OPERATORS_ONLY');
    expectError(await unprotected.request(path, { method }), 'OPERATOR_TWO_FACTOR');
    const own = await operator.request(path, { method });
    expect([401, 403]).not.toContain(own.status);
    expect(own.status).toBeLessThan(500);
  }
});

test('the command grants and revokes the role at once, and every try is in the audit log', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const run = (...args: string[]) => operatorAction(args)(stack.db);
  const log = (): Promise<Answer<OperatorActionList>> => seller.request(operatorPaths.actions);
  await expect(run('grant', seller.email)).rejects.toThrow('has no two-factor sign-in');
  await turnOnTwoFactor(seller);
  expect((await seller.me()).user.operator).toBe(false);
  expect(await run('grant', ` ${seller.email.toUpperCase()}`)).toContain('is now an operator');
  expect(await run('grant', seller.email)).toContain('is now an operator');
  expect((await seller.me()).user.operator).toBe(true);
  expect(await run('list')).toContain(seller.email);

  const stranger = newAddress();
  await expect(run('grant', stranger)).rejects.toThrow(`There is no account with the address ${stranger}.`);
  const { body } = await log();
  expect(body.actions.map(({ action, outcome, problem }) => [action, outcome, problem])).toEqual([
    ['grant-role', 'refused', `There is no account with the address ${stranger}.`],
    ['grant-role', 'done', null],
    ['grant-role', 'done', null],
    ['grant-role', 'refused', expect.stringContaining('has no two-factor sign-in')],
  ]);
  expect(body.actions[1]).toMatchObject({
    operator: 'command line',
    target: { kind: 'seller', id: seller.id },
    details: seller.email,
  });
  const onSeller = await seller.request<OperatorActionList>(
    `${operatorPaths.actions}?limit=2&target=${seller.id}`,
  );
  expect(onSeller.body.actions.map(({ id }) => id)).toEqual(body.actions.slice(1, 3).map(({ id }) => id));
  const rest = await seller.request<OperatorActionList>(
    `${operatorPaths.actions}?target=${seller.id}&cursor=${onSeller.body.nextCursor}`,
  );
  expect(rest.body).toEqual({ actions: [body.actions[3]], nextCursor: null });

  expect(await run('revoke', seller.email)).toContain('is no longer an operator');
  expectError(await log(), 'OPERATORS_ONLY');
  await expect(run('revoke', seller.email)).rejects.toThrow('is not an operator');
  expect(() => operatorAction(['forget', seller.email])).toThrow(/^Usage/);
});

test('the queue: paused, drained and resumed, and no image is lost', async ({ stack }) => {
  const operator = await operatorOf(stack);
  const steer = (action: string, reason = 'test') =>
    call(operator, 'POST', `${operatorPaths.queue}/${action}`, { reason });
  expect((await steer('pause')).body).toMatchObject({ paused: true, waiting: 0 });
  const window = await operator.openWindow();
  const { id } = await operator.submit();
  const worker = await stack.startWorker();
  expect((await operator.request(operatorPaths.queue)).body).toMatchObject({ waiting: 1, running: 0 });
  await steer('drain');
  expect((await operator.request(operatorPaths.queue)).body).toMatchObject({ paused: true, waiting: 0 });
  await runUpkeep(workerContext(stack), atOnce);
  expect((await operator.request(operatorPaths.queue)).body).toMatchObject({ paused: true, waiting: 1 });
  expect((await operator.generation(id)).state).toBe('queued');
  expect((await steer('resume')).body).toMatchObject({ paused: false });
  expect((await window.untilEnded(id)).state).toBe('succeeded');
  expect((await steer('retry-failed')).status).toBe(200);
  expectError(await steer('pause', ' '), 'VALIDATION', { message: 'Please say why.', field: 'reason' });
  expectError(await steer('destroy'), 'VALIDATION', { field: 'action' });
  await Promise.all([worker.close(), window.close()]);

  const { body } = await operator.request<OperatorActionList>(`${operatorPaths.actions}?limit=4`);
  expect(body.actions.map(({ action, outcome }) => [action, outcome])).toEqual([
    ['retry-failed-jobs', 'done'],
    ['resume-queue', 'done'],
    ['drain-queue', 'done'],
    ['pause-queue', 'done'],
  ]);
  expect(body.actions[0]).toMatchObject({ operator: operator.email, reason: 'test' });
});
