import { z } from 'zod';
import {
  type OperatorBillingChoice,
  type OperatorSellerAction,
  operatorImagesSchema,
  operatorPaths,
  operatorSellerActionSchema,
  operatorSellerActions,
  operatorSellerViewSchema,
} from '#contract';
import { askTwoFactorRemoval } from '#server/accounts/two-factor/removal-routes.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { keepAccount } from '#shared/accounts/delete-account.ts';
import { syncBilling } from '#shared/billing/sync.ts';
import { resetUnpaidCalls } from '#shared/credits/unpaid-calls.ts';
import { removeTokens } from '#shared/data/accounts/account-tokens.ts';
import { stopTwoFactorRemoval } from '#shared/data/accounts/two-factor-removal.ts';
import { disableAccount, enableAccount } from '#shared/data/accounts/users.ts';
import { newBillingOrder } from '#shared/data/profiles/billing-orders.ts';
import { markReachable } from '#shared/data/profiles/unreachable.ts';
import { AppError } from '#shared/platform/errors.ts';
import { changeBilling } from './change-billing.ts';
import { assertNotOwn } from './not-own.ts';
import { runLogged } from './run-logged.ts';
import { sellerOf } from './seller-of.ts';
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
  'stop-deletion': 'stop-deletion',
} as const satisfies Record<OperatorSellerAction, string>;

/** What was decided about the billing, in the audit log. */
const decisions: Readonly<Record<OperatorBillingChoice, string>> = {
  'end-now': 'Billing ends at once',
  'end-with-period': 'Billing ends with the period',
  renew: 'The plan renews again',
  leave: '',
};

const decidedAlready =
  'Billing ends at once already: another operator may have decided that. Look at the page again.';

function allowedBilling(action: OperatorSellerAction): readonly OperatorBillingChoice[] {
  if (action === 'disable') return ['end-now', 'end-with-period', 'leave'];
  return action === 'enable' ? ['renew', 'leave'] : ['leave'];
}

/** What operators do with sellers: with images, accounts, plan, unpaid calls and two-factor sign-in. */
export async function operatorSellerActionRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;

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

  type Step = (sellerId: string, billing: OperatorBillingChoice) => Promise<unknown>;
  const steps: Readonly<Record<OperatorSellerAction, Step>> = {
    async disable(sellerId, billing) {
      const order = billing === 'leave' ? null : newBillingOrder(billing, await sellerOf(db, sellerId));
      const { sessions, ordered } = await disableAccount(db, sellerId, order);
      // They are ended already; this tells the servers, so that sockets close at once.
      for (const sessionId of sessions) await app.endSession(sessionId);
      if (!ordered) throw new AppError('NOT_REPEATABLE', { message: decidedAlready });
      if (order) await changeBilling(context, sellerId);
    },
    async enable(sellerId, billing) {
      const order = billing === 'leave' ? null : newBillingOrder(billing, await sellerOf(db, sellerId));
      await enableAccount(db, sellerId, order);
      if (order) await changeBilling(context, sellerId);
    },
    'reset-unpaid-calls': (sellerId) => resetUnpaidCalls(db, sellerId),
    'mark-reachable': (sellerId) => markReachable(db, sellerId),
    'ask-two-factor-removal': (sellerId) => askTwoFactorRemoval(context, sellerId),
    async 'stop-two-factor-removal'(sellerId) {
      if (!(await stopTwoFactorRemoval(db, sellerId))) throw new AppError('NOT_REPEATABLE');
      await removeTokens(db, sellerId, 'keep-two-factor');
    },
    async 'stop-deletion'(sellerId) {
      await keepAccount(db, sellerId);
      await changeBilling(context, sellerId);
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
        body: operatorSellerActionSchema,
        response: { 200: operatorSellerViewSchema, ...errorReplies(400, 401, 403, 404, 409, 503) },
      },
    },
    async ({ operator, params: { id, action }, body: { reason, billing = 'leave' } }) => {
      if (!allowedBilling(action).includes(billing)) {
        throw new AppError('VALIDATION', {
          field: 'billing',
          message: 'This choice does not fit the action.',
        });
      }
      const details =
        action === 'mark-reachable' ? 'All mail to the address, which came back' : decisions[billing];
      const logged = { action: kinds[action], target: { kind: 'seller', id }, reason, details } as const;
      await runLogged(context, operator, logged, async () => {
        // Reading the plan gives nothing that Stripe does not say.
        if (action !== 'read-plan') assertNotOwn(operator, id);
        await sellerOf(db, id);
        await steps[action](id, billing);
      });
      return operatorSellerView(context, await sellerOf(db, id));
    },
  );
}
