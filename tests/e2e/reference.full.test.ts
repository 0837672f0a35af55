/** The reference page of the API: all of its operations, in both themes and on a phone, and a key that stays in the tab. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { type V1Balance, v1Paths } from '#contract';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { giveKey } from '#tests/support/api-keys.ts';
import { layoutProblems } from '#tests/support/browser.ts';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';

const test = testWithStackAndBrowser({ workers: 0 });
const address = '/documentation/reference';

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every operation of the document is there, can be read on a phone, and is accessible: ${colorScheme}`, async ({
    stack,
    openWindow,
  }) => {
    const { page } = await openWindow({ colorScheme, viewport: { width: 390, height: 844 } });
    const document = (await (await fetch(stack.url + v1Paths.document)).json()) as {
      paths: Record<string, Record<string, { operationId: string; summary: string }>>;
    };
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    await page.goto(stack.url + address);
    for (const { operationId, summary } of operations) {
      const item = page.locator(`[id="${operationId}"]`);
      await item.locator('summary').first().click();
      expect(await item.getByText(summary, { exact: true }).count()).toBe(1);
      await item.getByRole('heading', { name: 'Request' }).waitFor();
      const curl = await item.locator('pre').first().textContent();
      expect(curl).toMatch(/^curl -sS .*\/api\/v1\//);
      expect(curl).not.toMatch(/undefined|\[object/);
    }
    expect(await page.locator('details[id]').count()).toBe(operations.length);
    // What is within objects as well, however deep.
    const inner = page.locator('details:not([open]) > summary').filter({ hasText: 'Fields of' });
    while ((await inner.count()) > 0) await inner.first().click();
    expect(await page.getByText('anything', { exact: false }).count()).toBe(0);
    expect(await layoutProblems(page, address)).toEqual([]);
  });
}

test('a link to an operation opens it; a key is filled in, sends what only reads, and is nowhere after a reload', async ({
  stack,
  openWindow,
}) => {
  const seller = await stack.seller();
  const key = await giveKey(stack, seller);
  const { page } = await openWindow();
  await page.goto(`${stack.url}${address}#balance.get`);
  const item = page.locator('[id="balance.get"]');
  const curl = item.locator('pre').first();
  await curl.waitFor();
  expect(await curl.textContent()).toContain('<your API key>');
  expect(await item.getByRole('button', { name: 'Send' }).count()).toBe(0);

  const field = page.getByLabel('Your API key');
  await field.fill("pk_live_'; rm -rf /");
  await page.getByText('This is no API key').waitFor();
  expect(await curl.textContent()).toContain('<your API key>');
  await field.fill(` ${key} `);
  // The example runs as it stands there.
  const { stdout } = await promisify(execFile)('bash', ['-c', (await curl.textContent())!], {
    env: childEnvironment({}),
  });
  const balance = JSON.parse(stdout) as V1Balance;
  expect(balance.plan).toEqual(expect.any(String));
  await item.getByRole('button', { name: 'Send' }).click();
  // Beside what the document says of an answer.
  const answer = item.locator('[aria-live=polite]').filter({ hasText: 'Answer 200' });
  expect(JSON.parse((await answer.locator('pre').textContent())!)).toEqual(balance);

  // With parameters: of an image that is not there.
  const image = page.locator('[id="generations.get"]');
  await image.locator('summary').first().click();
  await image.getByLabel('id').fill('no/such');
  await image.getByRole('button', { name: 'Send' }).click();
  await image.getByText('Answer 404').waitFor();
  // Nothing that makes, changes or deletes something can be sent from here, and a stream would never end.
  for (const id of ['generations.create', 'events.stream']) {
    const other = page.locator(`[id="${id}"]`);
    await other.locator('summary').first().click();
    await other.getByText(key).waitFor();
    expect(await other.getByRole('button', { name: 'Send' }).count()).toBe(0);
  }

  const kept = () =>
    page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
    );
  expect(await kept()).not.toContain(key.slice(8));
  await page.reload();
  await curl.waitFor();
  expect(await page.content()).not.toContain(key.slice(8));
  expect(await field.inputValue()).toBe('');
});
