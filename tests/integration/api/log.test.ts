/** What a server writes into its log about the links in mails. */
import { expect } from 'vitest';
import { mailSamples } from '#tests/support/mail-samples.ts';
import { startProgram } from '#tests/support/program.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 });

/** The links of every mail that lead to Packshot, each once. */
function mailLinks(): URL[] {
  const texts = mailSamples.map(([, make]) => make('Ada').text);
  const links = texts.flatMap((text) => text.match(/https:\/\/packshot\.example\/\S+/g) ?? []);
  return [...new Set(links)].map((link) => new URL(link));
}

test('no link of any mail can be followed by who reads the log', async ({ stack }) => {
  let log = '';
  const server = await startProgram('server', { ...stack.settings, PORT: '0', LOG_LEVEL: 'info' }, (text) => {
    log += text;
  });
  try {
    const links = mailLinks();
    const secrets = links.flatMap(({ searchParams }) => [...searchParams.values()].filter(isToken));
    // Verifying, resetting, moving to another address, unlocking: more mails may come.
    expect(secrets.length).toBeGreaterThanOrEqual(4);
    for (const { pathname, search } of links) {
      await fetch(`${server.url}${pathname}${search}`, { headers: { accept: 'text/html' } });
      await fetch(`${server.url}${pathname}${search.replace('?', '?from=mail&')}`, { method: 'POST' });
    }
    const paths = links.map(({ pathname }) => pathname);
    await expect.poll(() => paths.filter((path) => !log.includes(`"url":"${path}`))).toEqual([]);
    expect(log.match(/token=\[redacted\]/g)?.length).toBeGreaterThanOrEqual(secrets.length);
    for (const secret of secrets) expect(log).not.toContain(secret);
  } finally {
    await server.terminate();
  }
});

/** The samples' tokens are the only values with digits between letters. */
function isToken(value: string): boolean {
  return /[a-z]\d|\d[a-z]/.test(value);
}
