/** Who may call which route: every route has one kind of caller, and refuses the others. */
import { expect } from 'vitest';
import { type ApiScope, type ErrorReply, pages, paths, v1McpPath, v1Paths } from '#contract';
import { allScopes, giveKey } from '#tests/support/api-keys.ts';
import { scopeOfRoute } from '#tests/support/api-scopes.ts';
import { routesOf } from '#tests/support/routes.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 }).extend('server', { scope: 'file' }, ({ stack }) =>
  stack.startServer(),
);

/** Paths that nobody has to sign in for. Those that read a session if there is one are among them. */
const open: ReadonlySet<string> = new Set([
  v1Paths.document,
  paths.service,
  paths.verification,
  paths.verifyEmail,
  paths.accounts,
  paths.session,
  paths.passkeySession,
  paths.passkeyChallenge,
  paths.passkeyCode,
  paths.passwordReset,
  paths.confirmPasswordReset,
  paths.unlock,
  paths.keepTwoFactor,
  paths.confirmEmail,
  paths.undoEmail,
  paths.confirmReachable,
  paths.linkAddress,
  paths.contact,
  paths.applications,
  paths.sketches,
  // Their senders are known by other secrets.
  paths.stripeWebhook,
  paths.mailWebhook,
  pages.unsubscribe,
]);
const isOpen = (path: string) => open.has(path) || path.startsWith(paths.docs);

interface Called {
  route: string;
  method: string;
  url: string;
  scope: ApiScope | undefined;
}

test('every route takes one kind of caller, and refuses all others', async ({ stack, server }) => {
  const seller = await stack.seller();
  const called: Called[] = routesOf(server.app)
    .filter(({ path }) => path.startsWith('/api/') && !isOpen(path))
    .flatMap(({ path, methods }) =>
      methods.map((method) => ({
        route: `${method} ${path}`,
        method,
        url: path.replace(/:\w+/g, 'x').replace('*', ''),
        // A HEAD route asks for what its GET route does.
        scope: scopeOfRoute[`${method.replace('HEAD', 'GET')} ${path}`],
      })),
    );
  const programs = called.filter(({ scope }) => scope !== undefined);
  // None of the list above is a mistake in writing, and nothing of programs is missing there.
  expect(
    programs
      .filter(({ method }) => method !== 'HEAD')
      .map(({ route }) => route)
      .toSorted(),
  ).toEqual(Object.keys(scopeOfRoute).toSorted());
  expect(called.filter(({ url, scope }) => url.startsWith('/api/v1/') && !scope)).toEqual([]);
  expect(called.length).toBeGreaterThan(120);

  const send = async ({ method, url }: Called, token: string | null) => {
    const { statusCode, body } = await server.app.inject({
      method: method as 'GET',
      url,
      // What is no id of an event ends a stream, which would go on for as long as somebody reads.
      headers: { 'last-event-id': '0', ...(token !== null && { authorization: `Bearer ${token}` }) },
    });
    const code = method === 'HEAD' || body === '' ? undefined : (JSON.parse(body) as ErrorReply).error?.code;
    return { status: statusCode, code };
  };
  const wrong: unknown[] = [];
  const expectRefusal = async (what: string, call: Called, token: string | null, refusal: object) => {
    const answer = await send(call, token);
    const expected = call.method === 'HEAD' ? { ...refusal, code: undefined } : refusal;
    if (JSON.stringify(answer) !== JSON.stringify(expected)) wrong.push([what, call.route, answer]);
  };

  const full = await giveKey(stack, seller);
  const scoped = new Map<ApiScope, { without: string; only: string }>();
  for (const scope of allScopes) {
    scoped.set(scope, {
      without: await giveKey(stack, seller, { scopes: allScopes.filter((each) => each !== scope) }),
      only: await giveKey(stack, seller, { scopes: [scope] }),
    });
  }
  const invalid = { status: 401, code: 'API_KEY_INVALID' };
  const expired = await giveKey(stack, seller, { expires_at: new Date(Date.now() - 1) });
  const revoked = await giveKey(stack, seller, { name: 'Revoked' });
  await stack.models.apiKeys.deleteOne({ user_id: seller.id, name: 'Revoked' });
  const elsewhere = await giveKey(stack, seller, { networks: ['203.0.113.0/24'] });
  for (const call of called) {
    if (call.scope === undefined) {
      const signedOut = { status: 401, code: 'UNAUTHENTICATED' };
      await expectRefusal('nobody', call, null, signedOut);
      await expectRefusal('a key with every scope', call, full, signedOut);
      continue;
    }
    const { without, only } = scoped.get(call.scope)!;
    await expectRefusal('nobody', call, null, invalid);
    await expectRefusal('a session', call, seller.token, invalid);
    await expectRefusal('an expired key', call, expired, invalid);
    await expectRefusal('a revoked key', call, revoked, invalid);
    await expectRefusal('from another network', call, elsewhere, { status: 403, code: 'API_KEY_NETWORK' });
    await expectRefusal('a key without the scope', call, without, { status: 403, code: 'API_KEY_SCOPE' });
    const { status } = await send(call, only);
    if ([401, 403].includes(status)) wrong.push(['a key with the scope', call.route, status]);
  }
  expect(wrong).toEqual([]);
});

test('the document says of every route whom it takes', async ({ server }) => {
  const document = JSON.parse((await server.app.inject(`${paths.docs}/json`)).body) as {
    paths: Record<string, Record<string, { security: Record<string, string[]>[] }>>;
  };
  const declared = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { security }]) => ({
      route: `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
      security,
    })),
  );
  const ofPrograms = declared.filter(({ security }) => security.some((each) => 'apiKey' in each));
  expect(Object.fromEntries(ofPrograms.map(({ route, security }) => [route, security]))).toEqual(
    Object.fromEntries(
      Object.entries(scopeOfRoute)
        .filter(([route]) => ![`GET ${v1McpPath}`, `DELETE ${v1McpPath}`].includes(route))
        .map(([route, scope]) => [route, [{ apiKey: [scope] }]]),
    ),
  );
  const undeclared = declared.filter(
    ({ route, security }) =>
      route.includes(' /api/') && security.length === 0 && !isOpen(route.split(' ')[1]!),
  );
  expect(undeclared).toEqual([]);
});
