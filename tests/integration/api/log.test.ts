/** The log of a server has no usable link of a mail. */
import { expect } from 'vitest';
import { mailSamples } from '#tests/support/mail-samples.ts';
import { startProgram } from '#tests/support/program.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 });

/** All links to Packshot in mails, without duplicates. */
function mailLinks(): URL[] {
  const texts = mailSamples.map(([, make]) => make('Ada').text);
  const links = texts.flatMap((text) => text.match(/https:\/\/packshot\.example\/\S+/g) ?? []);
  return [...new Set(links)].map((link) => new URL(link));
}

test('the log does not contain the token of any link in a mail', async ({ stack }) => {
  let log = '';
  const server = await startProgram('server', { ...stack.settings, PORT: '0', LOG_LEVEL: 'info' }, (text) => {
    log += text;
  });
  try {
    const links = mailLinks();
    const secrets = links.flatMap(({ searchParams }) => searchParams.getAll('token'));
    // Verification, password reset, change of address, unlocking.
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
