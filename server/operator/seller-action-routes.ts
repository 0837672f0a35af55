import { z } from 'zod';
import {
  type OperatorSellerAction,
  operatorImagesSchema,
  operatorPaths,
  operatorReasonOnlySchema,
  operatorSellerActions,
  operatorSellerViewSchema,
} from '#contract';
import { askTwoFactorRemoval } from '#server/accounts/two-factor/removal-routes.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { syncBilling } from '#shared/billing/sync.ts';
import { resetUnpaidCalls } from '#shared/credits/unpaid-calls.ts';
import { removeTokens } from '#shared/data/accounts/account-tokens.ts';
import { stopTwoFactorRemoval } from '#shared/data/accounts/two-factor-removal.ts';
import { disableAccount, enableAccount } from '#shared/data/accounts/users.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { markReachable } from '#shared/data/profiles/unreachable.ts';
import { AppError } from '#shared/platform/errors.ts';
import { runLogged } from './run-logged.ts';
import { operatorSellerView } from './seller-view.ts';
import { giveImages, takeImages } from './support-images.ts';

/** Each action on an account in the audit log. */
const kinds = {
  disable: 'disable-account',
  enable: 'enable-account',
  'read-plan': 'read-plan',
  'reset-unpaid-calls': 'reset-unpaid-calls',
  // Not a kind of its own: open pages of the last release could not read it (docs/decisions/0081-releases.md).
  'mark-reachable': 'send-mail-again',
  'ask-two-factor-removal': 'ask-two-factor-removal',
  'stop-two-factor-removal': 'stop-two-factor-removal',
} as const satisfies Record<OperatorSellerAction, string>;

/** What operators do with sellers: with images, accounts, plan, unpaid calls and two-factor sign-in. */
export async function operatorSellerActionRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;

  /** @throws AppError NOT_FOUND */
  async function sellerOf(id: string): Promise<ProfileRow> {
    const profile = await findProfile(db, id);
    if (!profile) throw new AppError('NOT_FOUND');
    return profile;
  }

  app.post(
    operatorPaths.sellerImages(':id'),
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'changeSellerImages',
        tags: ['operator'],
        summary: 'Give a seller images, or take some',
        description:
          'Idempotent by its key, for each operator and seller: the same key for something else is refused. What is given is ' +
          "part of the free images. Refused for the operator's own account.",
        params: z.object({ id: z.string() }),
        body: operatorImagesSchema,
        response: { 200: operatorSellerViewSchema, ...errorReplies(400, 401, 403, 404, 409) },
      },
    },
    async ({ operator, params: { id }, body: { action, count, reason, key } }) => {
      const change = action === 'give' ? giveImages : takeImages;
      const logged = {
        action: `${action}-images`,
        target: { kind: 'seller', id },
        reason,
        details: count === 1 ? '1 image' : `${count.toLocaleString('en')} images`,
      } as const;
      const profile = await runLogged(context, operator, logged, () => {
        assertNotOwn(operator, id);
        return change(context, id, { key: `operator:${operator.id}:${id}:${key}`, count });
      });
      return operatorSellerView(context, profile);
    },
  );

  const steps: Readonly<Record<OperatorSellerAction, (sellerId: string) => Promise<unknown>>> = {
    async disable(sellerId) {
      // They are ended already; this tells the servers, so that sockets close at once.
      for (const sessionId of await disableAccount(db, sellerId)) await app.endSession(sessionId);
    },
    enable: (sellerId) => enableAccount(db, sellerId),
    'reset-unpaid-calls': (sellerId) => resetUnpaidCalls(db, sellerId),
    'mark-reachable': (sellerId) => markReachable(db, sellerId),
    'ask-two-factor-removal': (sellerId) => askTwoFactorRemoval(context, sellerId),
    async 'stop-two-factor-removal'(sellerId) {
      if (!(await stopTwoFactorRemoval(db, sellerId))) throw new AppError('NOT_REPEATABLE');
      await removeTokens(db, sellerId, 'keep-two-factor');
    },
    'read-plan': (sellerId) =>
      syncBilling(context, sellerId).catch((cause) => {
        throw new AppError('SUBSCRIPTION_UNREADABLE', { cause });
      }),
  };

  app.post(
    operatorPaths.sellerAction(':id', ':action' as OperatorSellerAction),
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'actOnSeller',
        tags: ['operator'],
        summary:
          "Disable or enable an account, apply what Stripe says about its plan, reset today's unpaid calls, send mail again, or " +
          'have two-factor sign-in removed after a time in which the seller can stop it',
        params: z.object({ id: z.string(), action: z.enum(operatorSellerActions) }),
        body: operatorReasonOnlySchema,
        response: { 200: operatorSellerViewSchema, ...errorReplies(400, 401, 403, 404, 409, 503) },
      },
    },
    async ({ operator, params: { id, action }, body: { reason } }) => {
      const details = action === 'mark-reachable' ? 'All mail to the address, which came back' : '';
      const logged = { action: kinds[action], target: { kind: 'seller', id }, reason, details } as const;
      await runLogged(context, operator, logged, async () => {
        // Reading the plan gives nothing that Stripe does not say.
        if (action !== 'read-plan') assertNotOwn(operator, id);
        await sellerOf(id);
        await steps[action](id);
      });
      return operatorSellerView(context, await sellerOf(id));
    },
  );
}

/**
 * Nobody decides on the balance of their own account, or on who may sign in to it: another operator can.
 * @throws AppError OPERATORS_ONLY
 */
export function assertNotOwn(operator: { id: string }, sellerId: string): void {
  if (operator.id !== sellerId) return;
  throw new AppError('OPERATORS_ONLY', {
    message: 'This is your own account. Another operator has to do this.',
  });
}
