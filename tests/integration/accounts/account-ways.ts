/** Every way into an account, back to it, and to make it less safe, as the table of docs/accounts.md names them. */
import {
  type ApiKeyList,
  type ApiKeyView,
  apiKeyPaths,
  type OperatorSellerView,
  operatorPaths,
  paths,
  type SessionList,
  type TwoFactorSetup,
  webhookPaths,
} from '#contract';
import { accountAction } from '#scripts/account/account.ts';
import { finishDeletion } from '#shared/accounts/deletion.ts';
import { type AccountTokenKind, issueToken } from '#shared/data/accounts/account-tokens.ts';
import { markUnreachable } from '#shared/data/profiles/unreachable.ts';
import { anotherSession, call, codeOf, post, twoFactorSeller, wrongCode } from '#tests/support/account.ts';
import { giveKey } from '#tests/support/api-keys.ts';
import { addPasskey, answer } from '#tests/support/authenticator.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { operatorOf } from '#tests/support/operator.ts';
import { type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import {
  createVisitor,
  newAddress,
  resetMailLimit,
  signUpForm,
  tokenFromMail,
} from '#tests/support/visitor.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';

/** What a way asks for. */
export type Asked = 'password' | 'code' | 'passkey' | 'link' | 'session' | 'operator';

/** What is wrong with what is given, or missing. */
export type Wrong = Asked | 'no code';

/** An account, and a way that can be taken. */
export interface Way {
  /** Of the account. */
  id: string;
  /** Its addresses, also those that it had or gets. */
  addresses: string[];
  /** Whether it is taken in a session. */
  inSession?: true;
  /** @param wrong undefined when everything is right */
  take(wrong?: Wrong): Promise<{ status: number }>;
}

const wrongPassword = 'Wrong-Horse-7';
const newPassword = 'Newer-Horse-8';
/** A client without a session. */
const noSession = (stack: TestStack) => createVisitor(stack.url) as Pick<Seller, 'request'>;

const accountOf = ({ id, email }: Pick<Seller, 'id' | 'email'>) => ({ id, addresses: [email] });

/** A way in a session. @param given the body without the secrets, which a code is a part of where the account has them */
export function inSession(
  stack: TestStack,
  seller: Seller,
  [method, path, body = {}]: [method: string, path: string, body?: object],
  { secret, recovery, password }: { secret?: string; recovery?: string; password?: false } = {},
): Way {
  const codeFor = (wrong?: Wrong) =>
    wrong === 'code' ? wrongCode(secret!) : (recovery ?? codeOf(secret!, 1));
  return {
    ...accountOf(seller),
    inSession: true,
    take: (wrong) =>
      call(wrong === 'session' ? noSession(stack) : seller, method, path, {
        ...body,
        ...(password !== false && { password: wrong === 'password' ? wrongPassword : testPassword }),
        ...(secret !== undefined && wrong !== 'no code' && { code: codeFor(wrong) }),
      }),
  };
}

/** A way for a seller with two-factor sign-in. */
const withCode =
  (method: string, path: string, body?: object, recovery = false) =>
  async (stack: TestStack): Promise<Way> => {
    const { seller, secret, recoveryCodes } = await twoFactorSeller(stack);
    const given = recovery ? { secret, recovery: recoveryCodes[0]! } : { secret };
    return inSession(stack, seller, [method, path, body], given);
  };

/** A way for a seller without two-factor sign-in. */
const withPassword =
  (method: string, path: string, body?: object) =>
  async (stack: TestStack): Promise<Way> =>
    inSession(stack, await stack.seller({ paid: false }), [method, path, body]);

/** A way by the link of a mail, for which the token is enough. */
const byLink =
  (kind: AccountTokenKind, path: string) =>
  async (stack: TestStack): Promise<Way> => {
    const seller = await stack.seller({ paid: false });
    const about = { kind, sellerId: seller.id, email: seller.email, lifeMs: 60_000 };
    return linkWay(stack, seller, { token: await issueToken(stack.db, about), path });
  };

function linkWay(
  stack: TestStack,
  seller: Seller,
  { token, path, body = {} }: { token: string; path: string; body?: object },
): Way {
  return {
    ...accountOf(seller),
    take: (wrong) => post(stack.url, path, { token: wrong === 'link' ? 'x'.repeat(43) : token, ...body }),
  };
}

/** Asks for a new password: the way is the link in the mail. */
async function resetWay(stack: TestStack, seller: Seller): Promise<Way> {
  await resetMailLimit(stack.db);
  await post(stack.url, paths.passwordReset, { email: seller.email });
  const { token } = await tokenFromMail(stack, seller.email, 'resetPassword');
  return linkWay(stack, seller, { token, path: paths.confirmPasswordReset, body: { password: newPassword } });
}

/** Asks for another address. @returns it, and the token in the mail to it */
async function askForAddress(stack: TestStack, seller: Seller, code?: string) {
  const email = newAddress();
  await call(seller, 'POST', paths.email, { email, password: testPassword, ...(code && { code }) });
  return { email, token: (await tokenFromMail(stack, email, 'confirmEmail')).token };
}

/** An account that signed up, and the link in its mail. */
async function signedUp(stack: TestStack) {
  const [visitor, form] = [createVisitor(stack.url), signUpForm()];
  await visitor.post(paths.accounts, form);
  const { token } = await tokenFromMail(stack, form.email, 'verifyEmail');
  const user = await stack.models.users.findOne({ email: form.email }).lean();
  return { visitor, token, id: user!._id, addresses: [form.email] };
}

async function askForRemoval(stack: TestStack) {
  const [{ seller }, operator] = await Promise.all([twoFactorSeller(stack), operatorOf(stack)]);
  const path = operatorPaths.sellerAction(seller.id, 'ask-two-factor-removal');
  const ask = (by: Pick<Seller, 'request'>) =>
    call<OperatorSellerView>(by, 'POST', path, { reason: 'Showed a passport' });
  return { seller, operator, ask };
}

/** By the names in the first column. */
export const ways: Readonly<Record<string, (stack: TestStack) => Promise<Way>>> = {
  async 'sign-in'(stack) {
    const { seller, secret } = await twoFactorSeller(stack);
    const { id, email } = seller;
    const take = (wrong?: Wrong) =>
      post(stack.url, paths.session, {
        email,
        password: wrong === 'password' ? wrongPassword : testPassword,
        ...(wrong !== 'no code' && { code: wrong === 'code' ? wrongCode(secret) : codeOf(secret, 1) }),
      });
    return { id, addresses: [email], take };
  },
  async 'sign-in with a passkey'(stack) {
    const seller = await stack.seller({ paid: false });
    const { passkey } = await addPasskey(stack.url, seller);
    const visitor = createVisitor(stack.url);
    return {
      ...accountOf(seller),
      async take(wrong) {
        const { body } = await visitor.post(paths.passkeyChallenge, {});
        const assertion = answer(stack.url, passkey, body as Parameters<typeof answer>[2]);
        if (wrong === 'passkey') assertion.response.signature = assertion.response.signature.slice(0, -8);
        return visitor.post(paths.passkeySession, assertion);
      },
    };
  },
  async 'link of a sign-up'(stack) {
    const { visitor, token, ...account } = await signedUp(stack);
    return {
      ...account,
      take: (wrong) => visitor.post(paths.verifyEmail, { token: wrong === 'link' ? 'x'.repeat(43) : token }),
    };
  },
  async 'link of a sign-up, in another browser'(stack) {
    const { token, id, addresses } = await signedUp(stack);
    return {
      id,
      addresses,
      take: (wrong) =>
        post(stack.url, paths.verifyEmail, {
          token: wrong === 'link' ? 'x'.repeat(43) : token,
          password: wrong === 'password' ? wrongPassword : testPassword,
        }),
    };
  },
  async 'reset asked for'(stack) {
    const { id, email } = await stack.seller({ paid: false });
    await resetMailLimit(stack.db);
    return { id, addresses: [email], take: () => post(stack.url, paths.passwordReset, { email }) };
  },
  reset: async (stack) => resetWay(stack, await stack.seller({ paid: false })),
  'reset, with a second factor younger than seven days': async (stack) =>
    resetWay(stack, (await twoFactorSeller(stack)).seller),
  'unlock link': byLink('unlock', paths.unlock),
  async 'undo link'(stack) {
    const seller = await stack.seller({ paid: false });
    const { email, token } = await askForAddress(stack, seller);
    await post(stack.url, paths.confirmEmail, { token, password: testPassword });
    const { token: undo } = await tokenFromMail(stack, seller.email, 'undoEmail');
    const body = { password: newPassword };
    const way = linkWay(stack, seller, { token: undo, path: paths.undoEmail, body });
    return { ...way, addresses: [seller.email, email] };
  },
  async 'link of an address whose mail came back'(stack) {
    const way = await byLink('confirm-reachable', paths.confirmReachable)(stack);
    await markUnreachable(stack.db, way.addresses[0]!, { kind: 'bounce', reason: 'No such mailbox' });
    return way;
  },
  async 'link that keeps two-factor sign-in'(stack) {
    const { seller, operator, ask } = await askForRemoval(stack);
    await ask(operator);
    const { token } = await tokenFromMail(stack, seller.email, 'keepTwoFactor');
    return linkWay(stack, seller, { token, path: paths.keepTwoFactor });
  },
  async 'authenticator app added'(stack) {
    const seller = await stack.seller({ paid: false });
    return {
      ...accountOf(seller),
      inSession: true,
      async take(wrong) {
        const by = wrong === 'session' ? noSession(stack) : seller;
        const password = wrong === 'password' ? wrongPassword : testPassword;
        const begun = await call<TwoFactorSetup>(by, 'POST', paths.twoFactor, { password });
        if (begun.status !== 200) return begun;
        return call(seller, 'POST', paths.confirmTwoFactor, { code: codeOf(begun.body.secret) });
      },
    };
  },
  async 'authenticator app removed'(stack) {
    const { seller, secret } = await twoFactorSeller(stack);
    return inSession(stack, seller, ['DELETE', paths.twoFactor], { secret });
  },
  async 'authenticator app removed beside a passkey'(stack) {
    const { seller, secret, recoveryCodes } = await twoFactorSeller(stack);
    await addPasskey(stack.url, seller, { code: recoveryCodes[0]! });
    return inSession(stack, seller, ['DELETE', paths.twoFactor], { secret });
  },
  async 'passkey added'(stack) {
    const seller = await stack.seller({ paid: false });
    return {
      ...accountOf(seller),
      async take(wrong) {
        const by = wrong === 'session' ? noSession(stack) : seller;
        if (wrong) return call(by, 'POST', paths.beginPasskey, { password: wrongPassword });
        return (await addPasskey(stack.url, seller)).reply;
      },
    };
  },
  async 'passkey removed'(stack) {
    const { seller, secret, recoveryCodes } = await twoFactorSeller(stack);
    const { body } = (await addPasskey(stack.url, seller, { code: recoveryCodes[0]! })).reply;
    return inSession(stack, seller, ['DELETE', paths.passkey(body.passkey.id)], { secret });
  },
  'API key made': withCode('POST', apiKeyPaths.apiKeys, { name: 'Shop import', scopes: ['usage:read'] }),
  async 'API key revoked'(stack) {
    const seller = await stack.seller({ paid: false });
    await giveKey(stack, seller);
    const [{ id }] = (await call<ApiKeyList>(seller, 'GET', apiKeyPaths.apiKeys)).body.apiKeys as [
      ApiKeyView,
    ];
    return inSession(stack, seller, ['DELETE', apiKeyPaths.apiKey(id)], { password: false });
  },
  async 'webhook set up'(stack) {
    const seller = await stack.seller({ paid: false });
    const webhook = { url: 'https://shop.example/packshot', events: ['generation.succeeded'] };
    return inSession(stack, seller, ['POST', webhookPaths.webhooks, webhook], { password: false });
  },
  'recovery codes made': withCode('POST', paths.recoveryCodes),
  'recovery code used': withCode('POST', paths.recoveryCodes, {}, true),
  'security emails turned off': withPassword('PATCH', paths.settings, { securityNotifications: false }),
  'activity log turned off': withPassword('PATCH', paths.settings, { activityLogging: false }),
  'idle sessions end later': withPassword('PATCH', paths.settings, { sessionTimeoutMinutes: 60 }),
  async 'password expires later or never'(stack) {
    const seller = await stack.seller({ paid: false });
    await stack.models.userSettings.updateOne({ _id: seller.id }, { password_change_forced: true });
    return inSession(stack, seller, ['PATCH', paths.settings, { passwordChangeForced: false }]);
  },
  'password changed': withPassword('POST', paths.password, { newPassword }),
  async 'another address asked for'(stack) {
    return withCode('POST', paths.email, { email: newAddress() })(stack);
  },
  async 'another address confirmed'(stack) {
    const { seller, secret, recoveryCodes } = await twoFactorSeller(stack);
    const { email, token } = await askForAddress(stack, seller, recoveryCodes[0]);
    return {
      id: seller.id,
      addresses: [seller.email, email],
      take: (wrong) =>
        post(stack.url, paths.confirmEmail, {
          token: wrong === 'link' ? 'x'.repeat(43) : token,
          password: wrong === 'password' ? wrongPassword : testPassword,
          ...(wrong !== 'no code' && { code: wrong === 'code' ? wrongCode(secret) : codeOf(secret, 1) }),
        }),
    };
  },
  async 'signed out everywhere'(stack) {
    const seller = await stack.seller({ paid: false });
    return inSession(stack, seller, ['DELETE', paths.sessions], { password: false });
  },
  async 'another session ended'(stack) {
    const seller = await stack.seller({ paid: false });
    await anotherSession(stack.url, seller);
    const { sessions } = (await call<SessionList>(seller, 'GET', paths.sessions)).body;
    const { id } = sessions.find(({ current }) => !current)!;
    return inSession(stack, seller, ['DELETE', paths.oneSession(id)], { password: false });
  },
  'all data exported': withCode('POST', paths.export),
  async 'account deleted'(stack) {
    const { seller, secret } = await twoFactorSeller(stack);
    const way = inSession(stack, seller, ['POST', paths.deletion], { secret });
    return {
      ...way,
      async take(wrong) {
        const reply = await way.take(wrong);
        // As upkeep does once no process writes for the account any more.
        if (!wrong) await finishDeletion(workerContext(stack), seller.id, new Date(Date.now() + 1_000));
        return reply;
      },
    };
  },
  async 'removal of two-factor sign-in asked for'(stack) {
    const { seller, operator, ask } = await askForRemoval(stack);
    return {
      ...accountOf(seller),
      take: (wrong) => ask(wrong === 'operator' ? seller : operator),
    };
  },
  async 'removal of two-factor sign-in due'(stack) {
    const { seller, operator, ask } = await askForRemoval(stack);
    await ask(operator);
    return {
      ...accountOf(seller),
      async take() {
        const due = { 'two_factor_removal.due_at': new Date(Date.now() - 1_000) };
        await stack.models.users.updateOne({ _id: seller.id }, { $set: due });
        await runUpkeep(workerContext(stack), atOnce);
        return { status: 200 };
      },
    };
  },
  async '`npm run account -- reset-two-factor`'(stack) {
    const { seller } = await twoFactorSeller(stack);
    return {
      ...accountOf(seller),
      async take() {
        await accountAction(['reset-two-factor', seller.email, 'Showed a passport'])(stack.db);
        return { status: 200 };
      },
    };
  },
  'all data exported by an operator': byOperator(({ id }) => [operatorPaths.sellerExport(id), {}]),
  'deletion planned by an operator': byOperator(({ id, email }) => [
    operatorPaths.sellerDeletion(id),
    { email, when: 'notice' },
  ]),
  async 'account deleted by an operator'(stack) {
    const way = await byOperator(({ id, email }) => [
      operatorPaths.sellerDeletion(id),
      { email, when: 'now' },
    ])(stack);
    return {
      ...way,
      async take(wrong) {
        const reply = await way.take(wrong);
        if (!wrong) await finishDeletion(workerContext(stack), way.id, new Date(Date.now() + 1_000));
        return reply;
      },
    };
  },
  "operator's action": byOperator(({ id }) => [operatorPaths.sellerAction(id, 'enable'), {}]),
};

/** A way that an operator takes, with a reason. @param requestOf path and body, without the reason */
function byOperator(requestOf: (seller: Seller) => [path: string, body: object]) {
  return async (stack: TestStack): Promise<Way> => {
    const [seller, operator] = await Promise.all([stack.seller({ paid: false }), operatorOf(stack)]);
    const [path, body] = requestOf(seller);
    const ask = (by: Seller) => call(by, 'POST', path, { reason: 'A test', ...body });
    return {
      ...accountOf(seller),
      async take(wrong) {
        if (wrong === 'code') {
          const before = { confirmed_at: new Date(0) };
          await stack.models.sessions.updateMany({ user_id: operator.id }, { $set: before });
          const refused = await ask(operator);
          const now = { confirmed_at: new Date() };
          await stack.models.sessions.updateMany({ user_id: operator.id }, { $set: now });
          return refused;
        }
        return ask(wrong === 'operator' ? seller : operator);
      },
    };
  };
}
