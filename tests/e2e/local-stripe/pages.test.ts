import { expect } from 'vitest';
import { accessibilityProblems, looks, overflow } from '#tests/support/browser.ts';
import { fillCard, follow, press, testWithLocalStripe as test } from '#tests/support/local-stripe.ts';

for (const { colorScheme, width } of looks) {
  test(`every page is accessible and fits the window: ${colorScheme}, ${width} px`, async ({
    localStripe,
    openWindow,
  }) => {
    const { page, problems } = await openWindow({
      colorScheme,
      viewport: { width, height: 844 },
    });
    const check = async () => {
      expect([page.url(), await overflow(page), await accessibilityProblems(page)]).toEqual([
        page.url(),
        0,
        [],
      ]);
    };
    const session = await localStripe.createCheckout();
    await page.goto(session.url!);
    await check();
    await press(page, 'Subscribe');
    await check();
    await page.getByLabel('Email').fill('a-rather-long-address-of-somebody@workshop.example');
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
    for (const path of ['change', `change/${localStripe.prices.large}`, 'cancel', 'cards/new', 'billing']) {
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
}
