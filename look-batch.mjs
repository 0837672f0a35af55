import { chromium } from 'playwright-core';

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(
    ' ',
  ),
});
for (const [width, scheme] of [
  [1440, 'light'],
  [390, 'dark'],
]) {
  const context = await browser.newContext({
    viewport: { width, height: width === 390 ? 844 : 900 },
    colorScheme: scheme,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20000);
  page.on('console', (m) => {
    if (m.type() === 'error') console.log('console', m.text());
  });
  page.on('pageerror', (e) => console.log('pageerror', e.message));
  await page.goto('http://127.0.0.1:4310/login');
  await page.getByLabel(/email/i).first().fill('demo@packshot.example');
  await page
    .getByLabel(/password/i)
    .first()
    .fill('Walnut-Table-1');
  await page
    .getByRole('button', { name: /^(sign in|log in)/i })
    .first()
    .click();
  await page.locator('input[type=file]').first().waitFor({ state: 'attached', timeout: 60000 });
  await page.goto('http://127.0.0.1:4310/batch/new');
  await page.getByText('Choose a table').waitFor();
  const shot = (name) => page.screenshot({ path: `/tmp/look/batch-${name}-${width}.png` });
  await shot('empty');
  await page.locator('input[aria-label="Choose a folder"]').setInputFiles('/tmp/folder');
  await page.getByText('products are ready').first().waitFor();
  await page.waitForTimeout(500);
  await shot('photos');
  await page
    .locator('input[aria-label="Choose a table"]')
    .setInputFiles({
      name: 'shop.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        'Handle,Title,Body (HTML),Vendor,Mood,Variant SKU,Image Src\nmug,Stoneware mug,<p>x</p>,Case,ruhig,mug,\nvase,Tide vase 30 cm,<p>x</p>,Case,warm,VAS-30,vase-1.jpg\nsoap,Soap,,Case,hart,4.00638E+12,soap-1.jpg\n',
      ),
    });
  await page.getByText('Which column is which?').waitFor();
  await page.waitForTimeout(400);
  await shot('map');
  await page.getByRole('button', { name: 'Use this table' }).click();
  await page.waitForTimeout(400);
  await shot('joined');
  await page.getByRole('button', { name: 'Next problem' }).click();
  await page.waitForTimeout(400);
  console.log('focus', await page.evaluate('document.activeElement.outerHTML.slice(0,150)'));
  await shot('problem');
  await page.getByRole('button', { name: 'Next: scenes' }).click();
  await page.getByLabel('Scene', { exact: true }).fill('On an oak table in soft morning light');
  await page.waitForTimeout(300);
  await shot('scenes');
  await page.getByRole('button', { name: /^Use it for all/ }).click();
  await page.waitForTimeout(300);
  await shot('scenes2');
  await page.getByRole('button', { name: 'Next: check' }).click();
  await page.waitForTimeout(300);
  await shot('check');
  await page
    .getByRole('button', { name: /^Fix row/ })
    .first()
    .click();
  await page.waitForTimeout(500);
  console.log('focus', await page.evaluate('document.activeElement.outerHTML.slice(0,150)'));
  await page.getByRole('button', { name: 'Remove row 2' }).click();
  await page.waitForTimeout(500);
  await shot('undo');
  await page.getByRole('button', { name: 'Remove all' }).click();
  await context.close();
}
await browser.close();
