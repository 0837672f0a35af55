/** Who runs an installation, on the pages that everybody can read. */
import { expect } from 'vitest';
import { testWithStackAndBrowser } from '#tests/support/browser-test.ts';

const company = {
  COMPANY_NAME: `Frühling & "Söhne" <GmbH> $& $'`,
  COMPANY_ADDRESS: '1 Marktplatz, 50667 Köln, Germany',
  COMPANY_REGISTRATION: 'HRB 12345, VAT DE123456789',
};

const pages = ['/about', '/terms', '/privacy'];
const withCompany = testWithStackAndBrowser({ workers: 0, settings: company });

withCompany('footer, About and the legal pages name the company', async ({ stack, openWindow }) => {
  const { page, problems } = await openWindow();
  for (const path of pages) {
    await page.goto(stack.url + path);
    const section = page.getByRole('region', { name: 'Who runs this installation' });
    for (const text of Object.values(company)) await section.getByText(text, { exact: true }).waitFor();
    const line = `${company.COMPANY_NAME}, ${company.COMPANY_ADDRESS}`;
    await page.getByRole('contentinfo').getByText(line, { exact: true }).waitFor();
  }
  expect(problems).toEqual([]);
});

const withoutCompany = testWithStackAndBrowser({ workers: 0 });

withoutCompany('without a company they say that it is a demonstration', async ({ stack, openWindow }) => {
  const { page, problems } = await openWindow();
  for (const path of pages) {
    await page.goto(stack.url + path);
    await page.getByText('Nobody sells anything here: this is a demonstration of Packshot').waitFor();
    await page.getByRole('contentinfo').getByText('A demonstration of Packshot').waitFor();
  }
  expect(problems).toEqual([]);
});
