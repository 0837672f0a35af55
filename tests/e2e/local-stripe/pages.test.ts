import { expect } from 'vitest';
import { layoutProblems } from '#tests/support/browser.ts';
import { fillCard, follow, press, testWithLocalStripe as test } from '#tests/support/local-stripe.ts';

test('every page is accessible and fits the window', async ({ localStripe, openCheckout }) => {
  const { page, problems, session } = await openCheckout();
  const check = async () => {
    expect(await layoutProblems(page, page.url())).toEqual([]);
  };
  await check();
  await press(page, 'Subscribe');
  await check();
  await fillCard(page, 'secure');
  await press(page, 'Subscribe');
  await check();
  await press(page, 'Fail');
  await check();
  await fillCard(page, 'good');
  await press(page, 'Subscribe');
  await page.waitForURL(`${localStripe.shopUrl}/paid?**`);
  await page.goto(session.url!);
  await check();

  const { customer } = await localStripe.client.checkout.sessions.retrieve(session.id);
  const url = await localStripe.openPortal(page, customer as string);
  await check();
  for (const path of ['change', `change/${localStripe.prices.large}`, 'cancel', 'cards/new']) {
    await page.goto(`${url}/${path}`);
    expect(page.url()).toBe(`${url}/${path}`);
    await check();
  }
  await page.goto(url);
  await follow(page, /, invoice /);
  await check();
  await page.goto(localStripe.url);
  await check();
  expect(problems).toEqual([]);
});
