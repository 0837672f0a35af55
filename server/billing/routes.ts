import {
  buyPackSchema,
  limits,
  paths,
  planChangePreviewSchema,
  planChangeQuerySchema,
  portalReplySchema,
  subscribeReplySchema,
  subscribeSchema,
  subscriptionViewSchema,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { createRateLimit } from '#server/http/rate-limit.ts';
import { errorReplies } from '#server/http/replies.ts';
import { syncBilling } from '#shared/billing/sync.ts';
import { recordActivity } from '#shared/data/accounts/activities.ts';
import { AppError } from '#shared/platform/errors.ts';
import { presentSubscription } from '#shared/views/subscription.ts';
import { buyPack } from './buy-pack.ts';
import { previewPlanChange } from './plan-change-preview.ts';
import { portalUrl } from './portal.ts';
import { subscribe } from './subscribe.ts';

/** Routes that show a seller's subscription, change its plan, and open Stripe's portal. */
export async function billingRoutes(app: App, { context }: { context: ServerContext }) {
  const limitReads = createRateLimit(context.db, {
    name: 'subscription_reads',
    points: limits.subscriptionReads,
    seconds: limits.subscriptionWindowSeconds,
  });

  app.get(
    paths.subscription,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'getSubscription',
        tags: ['billing'],
        summary: 'The subscription as Stripe has it now',
        response: { 200: subscriptionViewSchema, ...errorReplies(401, 404, 429, 503) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      await limitReads(sellerId);
      const current = await syncBilling(context, sellerId).catch((cause) => {
        throw new AppError('SUBSCRIPTION_UNREADABLE', { cause });
      });
      if (!current) throw new AppError('PROFILE_NOT_FOUND');
      return presentSubscription(current.profile, context.config.dailyImages);
    },
  );

  const limitPreviews = createRateLimit(context.db, {
    name: 'plan_change_previews',
    points: limits.planChangePreviews,
    seconds: limits.subscriptionWindowSeconds,
  });

  app.get(
    paths.planChangePreview,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'previewPlanChange',
        tags: ['billing'],
        summary: 'What a change of plan costs',
        description:
          'The amount that is charged at once, with its tax, and the next payment, as Stripe computes them now. ' +
          'Agree to it with `agreed` when you change the plan: the change charges exactly that.',
        querystring: planChangeQuerySchema,
        response: { 200: planChangePreviewSchema, ...errorReplies(400, 401, 402, 404, 429, 503) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      await limitPreviews(sellerId);
      return previewPlanChange(context, sellerId, request.query.planId).catch((cause) => {
        throw cause instanceof AppError ? cause : new AppError('SUBSCRIPTION_UNREADABLE', { cause });
      });
    },
  );

  app.post(
    paths.subscribe,
    {
      onRequest: [app.requireSession, app.limitNetwork('billing')],
      schema: {
        operationId: 'subscribe',
        tags: ['billing'],
        summary: 'Subscribe to a plan, or change to it',
        description:
          'Without a subscription the reply has the `url` of a page to pay on; with one it has the changed ' +
          '`subscription`: a higher plan at once, with the difference charged now, a lower one when the period ends. ' +
          'No more is charged than `agreed` says: else the reply is `AMOUNT_CHANGED`, and nothing is changed. ' +
          'If the difference cannot be charged without the seller, the reply has the `url` of a page for that.',
        body: subscribeSchema,
        response: { 200: subscribeReplySchema, ...errorReplies(400, 401, 402, 403, 404, 409, 429, 503) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      const { planId, returnTo, agreed } = request.body;
      const outcome = await subscribe(context, sellerId, planId, returnTo, agreed);
      if ('url' in outcome) return outcome;
      await recordActivity(context.db, sellerId, 'plan-changed', request.from);
      return { subscription: presentSubscription(outcome.profile, context.config.dailyImages) };
    },
  );

  app.post(
    paths.imagePacks,
    {
      onRequest: [app.requireSession, app.limitNetwork('billing')],
      schema: {
        operationId: 'buyImagePack',
        tags: ['billing'],
        summary: 'Buy a pack of images once',
        description:
          'The reply has the `url` of a page to pay on. The packs and their prices are those of `GET /api/service`; one that ' +
          'costs more than `agreed` says, or is not sold, is refused with `AMOUNT_CHANGED`. The images come once they are paid.',
        body: buyPackSchema,
        response: { 200: portalReplySchema, ...errorReplies(400, 401, 403, 404, 409, 429, 503) },
      },
    },
    async (request) => ({ url: await buyPack(context, request.caller.sellerId, request.body) }),
  );

  app.post(
    paths.portalSession,
    {
      onRequest: [app.requireSession, app.limitNetwork('billing')],
      schema: {
        operationId: 'createPortalSession',
        tags: ['billing'],
        summary: 'Open the billing portal',
        response: { 200: portalReplySchema, ...errorReplies(401, 403, 404, 409, 429, 503) },
      },
    },
    async (request) => ({ url: await portalUrl(context, request.caller.sellerId) }),
  );
}
