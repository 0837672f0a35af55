/** The web page: hostile mails are harmless. */
import { describe, expect } from 'vitest';
import { requestWithHost } from '../harness.ts';
import { plainMail, startTestServer, testWithServer } from './harness.ts';

const test = testWithServer.extend(
  'get',
  ({ subject }) =>
    (path: string) =>
      fetch(`${subject.server.pageUrl}${path}`),
);

/** The directives of a Content-Security-Policy by name. */
function policyOf(response: Response): Map<string, string> {
  const directives = (response.headers.get('content-security-policy') ?? '').split(';');
  return new Map(
    directives.map((directive) => {
      const [name, ...values] = directive.trim().split(' ');
      return [name!, values.join(' ')];
    }),
  );
}

describe('a hostile mail', () => {
  const script = '<script>window.top.harm = 1</script>';
  const html = `<!DOCTYPE html><html><head><base href="https://evil.example/" target="_self">${script}</head><body onload="harm()">${script}<a href="https://packshot.example/verify-email?token=1">Verify</a></body></html>`;
  const hostile = test.extend('id', async ({ subject }) => {
    await subject.transport.send(
      plainMail({ subject: `<img src=x onerror=harm()> ${script}`, text: script, html }),
    );
    return (await subject.client.mails())[0]!.id;
  });

  hostile.for(['/', '/mails/ID', '/mails/ID?view=text'])('is only text on %s', async (path, { get, id }) => {
    const response = await get(path.replace('ID', String(id)));
    expect(response.status).toBe(200);
    const page = await response.text();
    expect(page).toContain('&lt;script&gt;');
    expect(page).not.toMatch(/<script>|<img/);
    const policy = policyOf(response);
    expect(policy.get('default-src')).toBe("'none'");
    // Only the server's own script files: no inline scripts, none from other sites.
    expect(policy.get('script-src')).toBe("'self'");
    expect(policy.get('frame-ancestors')).toBe("'none'");
  });

  hostile(
    'is shown in a sandboxed frame without scripts, forms or same-origin access',
    async ({ get, id }) => {
      const page = await (await get(`/mails/${id}`)).text();
      const frame = /<iframe[^>]*>/.exec(page)?.[0] ?? '';
      expect(/ sandbox="([^"]*)"/.exec(frame)?.[1]).toBe('allow-top-navigation-by-user-activation');
      expect(/ src="([^"]*)"/.exec(frame)?.[1]).toBe(`/mails/${id}/html`);
    },
  );

  hostile('cannot run scripts when its URL is opened outside of the frame', async ({ get, id }) => {
    const response = await get(`/mails/${id}/html`);
    const policy = policyOf(response);
    expect(policy.get('sandbox')).toBe('allow-top-navigation-by-user-activation');
    expect(policy.get('default-src')).toBe("'none'");
    expect(policy.has('script-src')).toBe(false);
    expect(policy.get('form-action')).toBe("'none'");
    expect(policy.get('base-uri')).toBe("'none'");
    expect(policy.get('img-src')).toBe('data:');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    // Its links open in the top window, because our <base> is the first one.
    const body = await response.text();
    expect(/^<!DOCTYPE html><base target="_top">/.test(body)).toBe(true);
    expect(body).toContain('href="https://packshot.example/verify-email?token=1"');
  });
});

test('the list is newest first', async ({ subject, get }) => {
  for (const name of ['First', 'Second']) await subject.transport.send(plainMail({ subject: name }));
  const list = await (await get('/')).text();
  expect(list).toMatch(/Second[\s\S]*First/);
});

test.for(['/mails/999999', '/mails/x', '/mails/999999/html'])(
  '%s returns a 404 page',
  async (path, { get }) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('No such mail');
  },
);

describe('the control endpoint', () => {
  test('exists only when enabled', async () => {
    const closed = await startTestServer({ control: false });
    try {
      await expect(closed.client.behave({ behaviour: 'ok' })).rejects.toThrow('404');
    } finally {
      await closed.close();
    }
  });

  test('rejects unknown behaviours', async ({ subject }) => {
    await expect(subject.client.behave({ behaviour: 'slow' } as never)).rejects.toThrow('400');
    await expect(subject.client.behave({ behaviour: 'sing' } as never)).rejects.toThrow('400');
  });
});

test('rejects DNS rebinding', async ({ subject }) => {
  const { pageUrl } = subject.server;
  const { port } = new URL(pageUrl);
  expect(await requestWithHost(pageUrl, '/', `evil.example:${port}`)).toBe(421);
  expect(await requestWithHost(pageUrl, '/', `localhost:${port}`)).toBe(200);
});

test('an attachment is listed with its name as text, and is only ever a download', async ({
  subject,
  get,
}) => {
  const content = Buffer.from('<script>alert(1)</script>\0\xff', 'latin1');
  const filename = 'a<b>"Ä".html';
  await subject.transport.send(plainMail({ attachments: [{ filename, contentType: 'text/html', content }] }));
  const [mail] = await subject.client.mails();
  expect(await subject.client.attachments(mail!)).toEqual([
    { fileName: filename, mediaType: 'text/html', content },
  ]);
  const page = await (await get(`/mails/${mail!.id}`)).text();
  expect(page).toContain('a&lt;b&gt;&quot;Ä&quot;.html');
  const file = await get(`/mails/${mail!.id}/attachments/0`);
  expect(file.headers.get('content-type')).toBe('application/octet-stream');
  expect(file.headers.get('content-disposition')).toMatch(/^attachment;/);
  expect(Buffer.from(await file.arrayBuffer())).toEqual(content);
  for (const path of ['1', '-1', 'x', '0.5']) {
    expect((await get(`/mails/${mail!.id}/attachments/${path}`)).status).toBe(404);
  }
});
