/** The operator's pages: what operators do on each, and layout in all looks. */
import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { operatorPaths } from '#contract';
import type { Models } from '#shared/data/collections.ts';
import { grantOperator } from '#shared/data/operator/operators.ts';
import { beginProviderPause } from '#shared/data/queue/provider-pauses.ts';
import { watchRound } from '#shared/watch/watch.ts';
import { call, codeOf, turnOnTwoFactor } from '#tests/support/account.ts';
import { openAs } from '#tests/support/account-steps.ts';
import { everyLook, layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';
import { confirmAction, operatorOf } from '#tests/support/operator.ts';
import { testPassword } from '#tests/support/seller.ts';
import { newAddress } from '#tests/support/visitor.ts';

const test = testWithStackAndBrowser();

test('the pages of a seller, the banner and the queue are accessible and fit the window', async ({
  stack,
  openWindow,
}) => {
  const [operator, seller] = await Promise.all([operatorOf(stack), stack.seller({ paid: false })]);
  const { page, problems } = await openWindow();
  const found: string[] = [];
  for (const [path, text] of [
    [`/operator/sellers/${seller.id}`, 'Give images'],
    ['/operator/banner', 'Show to sellers'],
    ['/operator/queue', 'Pause'],
  ] as const) {
    await openAs(stack, page, operator, path);
    await page.getByRole('button', { name: text }).waitFor();
    found.push(...(await layoutProblems(page, path)));
  }
  expect(found).toEqual([]);
  expect(problems).toEqual([]);
});

test('what images cost: today with its cap, by day, kind and seller, and as CSV', async ({
  stack,
  openWindow,
}) => {
  const [operator, seller] = await Promise.all([operatorOf(stack), stack.seller({ paid: false })]);
  await fillCosts(stack.models, seller.id);
  const { page, problems } = await openWindow();
  await openAs(stack, page, operator, '/operator/costs');
  await page.getByText('The daily cap is reached').waitFor();
  await page.getByRole('button', { name: '31 days' }).click();
  const oldest = new Date(new Date().setUTCHours(0, 0, 0, 0) - 9 * 86_400_000).toISOString().slice(0, 10);
  await page.getByRole('rowheader', { name: oldest }).waitFor();
  await page.getByRole('cell', { name: '$12.42' }).first().waitFor();
  await page.getByRole('link', { name: seller.email }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  const lines = (await readFile(await (await download).path(), 'utf8')).split('\r\n');
  expect(lines).toHaveLength(1 + 20 + 1);
  expect(lines[0]).toContain('usd,usd_estimated');
  expect(lines.filter((line) => line.includes(',12.345678,'))).toHaveLength(1);
  expect(await layoutProblems(page, 'costs', 'html', everyLook)).toEqual([]);
  expect(problems).toEqual([]);
  // For the tests that follow.
  await stack.models.providerCosts.deleteMany();
});

/** Ten days with calls of two kinds, of a seller and of an account that is deleted; the cap of today is reached. */
async function fillCosts(models: Models, seller: string): Promise<void> {
  const midnight = new Date().setUTCHours(0, 0, 0, 0);
  for (let before = 0; before < 10; before += 1) {
    const at = new Date(midnight - before * 86_400_000);
    const day = at.toISOString().slice(0, 10);
    const call = {
      at,
      day,
      generation: 'g',
      provider: 'openai',
      model: 'gpt-image-2.5-flare',
      result: 'image',
    };
    const amounts = [before === 3 ? 12_345_678 : 27_387, 72_798];
    await models.providerCosts.collection.insertMany([
      { _id: day, at, total: amounts[0]! + amounts[1]!, ...(before === 0 && { stopped_at: new Date() }) },
      {
        ...call,
        _id: `${day}-a`,
        seller,
        size: '1024x1024',
        quality: 'medium',
        state: 'exact',
        amount: amounts[0],
      },
      {
        ...call,
        _id: `${day}-b`,
        size: '2048x2048',
        quality: 'high',
        state: 'estimated',
        amount: amounts[1],
      },
    ] as never[]);
  }
}

test('an operator whose session gave no code is asked for one, and later for the password; what was begun goes on', async ({
  stack,
  openWindow,
}) => {
  const operator = await stack.seller({ paid: false });
  const { secret } = await turnOnTwoFactor(operator);
  await grantOperator(stack.db, operator.id);
  const session = (change: object) =>
    stack.models.sessions.updateMany({ user_id: operator.id }, { $set: change });
  await session({ factors: ['password'] });
  const { page } = await openWindow();
  await openAs(stack, page, operator, '/operator/queue');
  const asked = page.getByRole('dialog', { name: "Confirm that it's you" });
  await asked.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret, 1));
  await asked.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();

  await session({ confirmed_at: new Date(0) });
  await page.getByRole('button', { name: 'Pause' }).click();
  const action = page.getByRole('dialog').filter({ hasText: 'Reason, for the audit log' });
  await action.getByLabel('Reason, for the audit log').fill('A test of the pages');
  await action.getByRole('button', { name: /^Pause/ }).click();
  await asked.getByLabel('Password', { exact: true }).fill(testPassword);
  await asked.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  expect(await stack.models.operatorActions.countDocuments({ operator: operator.id, outcome: 'done' })).toBe(
    1,
  );
  // For the tests that follow.
  const resume = { reason: 'The end of a test' };
  expect((await call(operator, 'POST', operatorPaths.queueAction('resume'), resume)).status).toBe(200);
});

test('an operator sees how the installation is, live, with charts, and ends a pause of the provider', async ({
  stack,
  openWindow,
}) => {
  const { db, models, server } = stack;
  const operator = await operatorOf(stack);
  const minutes = Array.from({ length: 50 }, (_, index) => {
    const at = new Date(Math.floor(Date.now() / 60_000 - index - 1) * 60_000);
    const sampled = { waiting: index % 7, running: 3, delayed: 1, failed_jobs: 0, oldest_waiting: index * 4 };
    const ended = {
      images: index % 5,
      failures: { TIMED_OUT: index % 3 },
      durations: { [String(40 + (index % 9))]: 3 },
    };
    return { _id: at.toISOString(), at, sampled_at: at, sockets: 12, workers: 2, ...sampled, ...ended };
  });
  await models.minutes.insertMany(minutes);
  await models.auditResults.create({ _id: 'last', ended_at: new Date(), findings: 2 });
  await watchRound(server.context);

  const { page, problems } = await openWindow();
  await openAs(stack, page, operator, '/operator');
  await page.getByText('The audit found something').waitFor();
  await page.getByText('docs/runbook.md#audit-not-clean').waitFor();
  await page.getByText('TIMED_OUT', { exact: true }).waitFor();
  await page.getByText('closed: calls are made').waitFor();
  await expect.poll(() => page.locator('figure canvas').count()).toBe(7);
  await page.getByRole('button', { name: '7 days' }).click();
  await page.getByRole('button', { name: '7 days', pressed: true }).waitFor();

  await beginProviderPause(db, null, {
    kind: 'account',
    until: new Date(Date.now() + 600_000),
    step: 1,
    careful: 20,
    cause: '401 invalid key',
    openedAt: new Date(),
  });
  server.context.relay.publishOperators();
  // The page of the queue says the same of queue and breaker.
  const why =
    /^Calls to the image provider pause because it refuses our account\. Breaker open: no calls are made/;
  await page.getByText(why).waitFor();
  await page.goto(`${stack.url}/operator/queue`);
  await page.getByText(why).waitFor();
  await page.goto(`${stack.url}/operator`);
  await page.getByText(why).waitFor();
  await page.getByRole('button', { name: 'Try again now' }).click();
  await confirmAction(page, 'Try again now');
  await page.getByText(/Breaker half-open: single calls/).waitFor();
  expect(await layoutProblems(page, 'now')).toEqual([]);
  expect(problems).toEqual([]);
});

test('an operator finds a generation, sees its photos after saying why, and cancels it', async ({
  stack,
  openWindow,
}) => {
  const [operator, seller] = await Promise.all([operatorOf(stack), stack.seller()]);
  const live = await seller.openWindow();
  await stack.images.set({ behaviours: [{ kind: 'stall-before' }] });
  const { id } = await seller.submit({ prompt: 'On wet slate' });
  const { page, problems } = await openWindow();
  await openAs(stack, page, operator, '/operator/generations');
  await page.getByLabel('Seller: email or ID').fill(seller.email);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: id }).click();
  await page.getByText('On wet slate').waitFor();
  await page.getByText('Call to the provider began').waitFor();
  expect(await page.getByRole('img', { name: /^From the seller/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Show' }).click();
  await confirmAction(page, 'Show');
  const photo = page.getByRole('img', { name: 'From the seller, 1 of 1' });
  await expect
    .poll(() => photo.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
    .toBeGreaterThan(0);
  expect(await layoutProblems(page, 'a generation')).toEqual([]);
  await page.getByRole('button', { name: 'Cancel the image' }).click();
  await confirmAction(page, 'Cancel the image');
  await page.getByRole('listitem').getByText('Cancel the image').waitFor();
  await page.getByRole('listitem').getByText('Show the photos').waitFor();
  expect((await live.untilEnded(id)).state).toBe('cancelled');
  live.close();
  expect(problems).toEqual([]);
});

test('an operator sends again what failed: a mail, an event of Stripe, a call of the alert webhook', async ({
  stack,
  openWindow,
}) => {
  const { models } = stack;
  const operator = await operatorOf(stack);
  const now = new Date();
  const ended = { created_at: now, due_at: now, attempts: 4, ended_at: now };
  const to = newAddress();
  await models.mails.create({
    _id: 'given-up',
    kind: 'accountDeleted',
    priority: 1,
    to,
    subject: 'Your account was deleted',
    ...ended,
    text: 'Goodbye',
    html: '<p>Goodbye</p>',
    failure: '550 no such user',
  });
  await models.stripeEvents.create({
    _id: 'evt_unhandled',
    type: 'invoice.paid',
    customer: null,
    charge: null,
    received_at: now,
    tries: 2,
    due_at: new Date(Date.now() + 3_600_000),
  });
  const details = 'An image has been waiting for 12 min.';
  const news = { alert: 'oldest-waiting', event: 'began', details };
  await models.webhookCalls.create({
    _id: 'oldest-waiting.began.1',
    body: JSON.stringify(news),
    ...ended,
    failure: 'answered 410',
  });

  const { page, problems } = await openWindow();
  await openAs(stack, page, operator, '/operator/outbox');
  for (const shown of [to, 'evt_unhandled', details, 'answered 410']) await page.getByText(shown).waitFor();
  expect(await layoutProblems(page, 'mails and webhooks')).toEqual([]);
  await page.getByRole('button', { name: 'Send again' }).click();
  await confirmAction(page, 'Send again');
  expect((await stack.mails.waitForMail({ to })).text).toContain('Goodbye');
  await page.getByRole('button', { name: 'Handle again' }).click();
  await confirmAction(page, 'Handle again');
  await page.getByText('None. All events were handled.').waitFor();
  await page.getByRole('button', { name: 'Call again' }).click();
  await confirmAction(page, 'Call again');
  expect((await models.webhookCalls.findById('oldest-waiting.began.1').lean())!.ended_at).toBeNull();

  await page.getByRole('link', { name: 'Audit log' }).click();
  for (const line of ['Send the mail again', 'Handle the event again', 'Call the webhook again']) {
    await page.getByText(line).waitFor();
  }
  expect(await layoutProblems(page, 'the audit log')).toEqual([]);
  expect(problems).toEqual([]);
});
