import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  changeWebhookSchema,
  createWebhookSchema,
  limits,
  pages,
  testEvent,
  v1Versions,
  v1WebhookPaths,
  webhookDeliveriesQuerySchema,
  webhookDeliveryListSchema,
  webhookDeliverySchema,
  webhookEvents,
  webhookListSchema,
  webhookPaths,
  webhookSchema,
  webhookTries,
  webhookWithSecretSchema,
} from '#contract';
import { sendSecurityEmail } from '#server/accounts/security-email.ts';
import type { Caller } from '#server/auth/session.ts';
import { refuseIdempotencyKey, takesNoKey } from '#server/generations/idempotency.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { decodeCursor, encodeCursor } from '#server/http/cursor.ts';
import { versionHeaders } from '#server/http/documented.ts';
import { errorReplies } from '#server/http/replies.ts';
import { recordActivity } from '#shared/data/accounts/activities.ts';
import { findUser } from '#shared/data/accounts/users.ts';
import { newId } from '#shared/data/db.ts';
import { isTestSeller, modeOf, testSellerOf } from '#shared/data/test-seller.ts';
import {
  insertDelivery,
  listDeliveries,
  removeDeliveriesOf,
  sendDeliveryAgain,
  type WebhookDeliveryRow,
} from '#shared/data/webhooks/deliveries.ts';
import {
  changeWebhook,
  endRest,
  findWebhook,
  insertWebhook,
  listWebhooks,
  mostPreviousSecrets,
  removeWebhook,
  rotateSecret,
  type WebhookEndpointRow,
} from '#shared/data/webhooks/endpoints.ts';
import { eventIdOf } from '#shared/data/webhooks/events.ts';
import { AppError } from '#shared/platform/errors.ts';
import { createSeal } from '#shared/platform/seal.ts';
import { newWebhookSecret } from '#shared/webhooks/signature.ts';
import { bodyOf } from '#shared/webhooks/tell.ts';
import { presentDelivery, presentWebhook } from './present.ts';
import { checkUrl } from './url.ts';

/** Who manages webhooks, and where. */
interface Way {
  paths: typeof webhookPaths;
  hook: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** The operationId of each route. */
  ids: Record<
    'list' | 'create' | 'get' | 'update' | 'delete' | 'rotate' | 'test' | 'deliveries' | 'resend',
    string
  >;
  /** What all routes document. */
  common: { tags: string[]; requestHeaders?: typeof versionHeaders };
}

/** Webhooks of a signed-in seller. */
export const webhookRoutes = (app: App, { context }: { context: ServerContext }) =>
  routesOf(app, context, {
    paths: webhookPaths,
    hook: app.requireSession,
    ids: {
      list: 'listWebhooks',
      create: 'createWebhook',
      get: 'getWebhook',
      update: 'changeWebhook',
      delete: 'deleteWebhook',
      rotate: 'rotateWebhookSecret',
      test: 'testWebhook',
      deliveries: 'listWebhookDeliveries',
      resend: 'resendWebhookDelivery',
    },
    common: { tags: ['account'] },
  });

/** Webhooks for programs. */
export const v1WebhookRoutes = (app: App, { context }: { context: ServerContext }) =>
  routesOf(app, context, {
    paths: v1WebhookPaths,
    hook: app.requireKey('webhooks:write'),
    ids: {
      list: 'webhooks.list',
      create: 'webhooks.create',
      get: 'webhooks.get',
      update: 'webhooks.update',
      delete: 'webhooks.delete',
      rotate: 'webhooks.rotate',
      test: 'webhooks.test',
      deliveries: 'webhooks.deliveries',
      resend: 'webhooks.resend',
    },
    common: { tags: ['api'], requestHeaders: versionHeaders },
  });

/** Whose webhooks a caller manages: a program those of its mode, a person all. */
const ownersOf = ({ sellerId, principal }: Caller) =>
  principal.kind === 'session' ? [sellerId, testSellerOf(sellerId)] : [sellerId];

/** The routes of webhooks (docs/decisions/0136-webhooks.md): the same for people and programs. */
async function routesOf(app: App, context: ServerContext, { paths, hook, ids, common }: Way): Promise<void> {
  const { db, relay, config } = context;
  const params = z.object({ id: z.string() });
  const send = [hook, refuseIdempotencyKey, app.limitSeller('webhook-send')];
  // Addresses that are refused do not count: the owner gets no mail about them.
  const limitNew = app.limitSeller('webhook-new');

  async function find({ caller }: FastifyRequest, id: string): Promise<WebhookEndpointRow> {
    for (const owner of ownersOf(caller)) {
      const row = await findWebhook(db, owner, id);
      if (row) return row;
    }
    throw new AppError('NOT_FOUND');
  }

  /** Has a worker send something now, also to an endpoint that failed just before. */
  async function sendNow({ _id: endpoint }: WebhookEndpointRow, row: WebhookDeliveryRow | null) {
    if (!row) throw new AppError('NOT_FOUND');
    await endRest(db, endpoint);
    relay.publishWebhook(endpoint, `${row._id}-${Date.now()}`);
    return presentDelivery(row);
  }

  /** Tells the owner, by a mail that no setting turns off, where events go from now on. */
  async function tellOwner(
    { from }: FastifyRequest,
    { profile: sellerId, url, events, _id }: WebhookEndpointRow,
  ) {
    // Nothing that is real is sent to it.
    if (isTestSeller(sellerId)) return;
    const user = await findUser(db, sellerId);
    // What deletes the account removes the webhook as well.
    if (!user) return void (await removeWebhook(db, sellerId, _id));
    await recordActivity(db, sellerId, 'webhook-made', from);
    await sendSecurityEmail(context, user, 'webhook-made', {
      host: new URL(url).host,
      events: events.map((each) => webhookEvents[each]),
      at: new Date(),
      ...from,
      link: config.linkUrl + pages.apiKeys,
    });
  }

  const seal = (secret: string, id: string) => createSeal(config.webhooks.keys).seal(secret, id);

  app.get(
    paths.webhooks,
    {
      onRequest: hook,
      schema: {
        ...common,
        operationId: ids.list,
        summary: "The seller's webhooks, without their secrets",
        response: { 200: webhookListSchema, ...errorReplies(400, 401, 403, 429) },
      },
    },
    async ({ caller }) => {
      const rows = await Promise.all(ownersOf(caller).map((owner) => listWebhooks(db, owner)));
      return { webhooks: rows.flat().map(presentWebhook) };
    },
  );

  app.post(
    paths.webhooks,
    {
      onRequest: [hook, refuseIdempotencyKey],
      schema: {
        ...common,
        operationId: ids.create,
        summary: 'Make a webhook, whose secret only this reply shows',
        description: `From now on \`url\` is sent the chosen events, signed as Standard Webhooks say. An account has at most ${limits.webhooks} of each mode. ${takesNoKey}`,
        body: createWebhookSchema,
        response: { 201: webhookWithSecretSchema, ...errorReplies(400, 401, 403, 409, 422, 429) },
      },
    },
    async (request, reply) => {
      const { caller } = request;
      const { url, events, mode } = request.body;
      checkUrl(url, config.webhooks);
      await limitNew(request);
      const owner = ownersOf(caller).find((each) => mode === undefined || modeOf(each) === mode);
      if (owner === undefined) {
        throw new AppError('VALIDATION', { message: 'A webhook has the mode of its key.', field: 'mode' });
      }
      const secret = newWebhookSecret();
      const row = await insertWebhook(db, owner, {
        url,
        events: [...new Set(events)],
        version: v1Versions.at(-1)!,
        sealedFor: (id) => seal(secret, id),
      });
      if (!row) throw new AppError('WEBHOOK_LIMIT');
      await tellOwner(request, row);
      return reply
        .status(201)
        .header('cache-control', 'no-store')
        .send({ secret, webhook: presentWebhook(row) });
    },
  );

  app.get(
    paths.webhook(':id'),
    {
      onRequest: hook,
      schema: {
        ...common,
        operationId: ids.get,
        summary: 'A webhook, without its secret',
        params,
        response: { 200: webhookSchema, ...errorReplies(400, 401, 403, 404, 429) },
      },
    },
    async (request) => presentWebhook(await find(request, request.params.id)),
  );

  app.patch(
    paths.webhook(':id'),
    {
      onRequest: hook,
      schema: {
        ...common,
        operationId: ids.update,
        summary: 'Change a webhook, or switch it on or off',
        description: 'What is not in the body stays. While a webhook is off, events are not kept for it.',
        params,
        body: changeWebhookSchema,
        response: { 200: webhookSchema, ...errorReplies(400, 401, 403, 404, 422, 429) },
      },
    },
    async (request) => {
      const { body } = request;
      const before = await find(request, request.params.id);
      const { _id: id, profile } = before;
      if (body.url !== undefined) checkUrl(body.url, config.webhooks);
      const isElsewhere = body.url !== undefined && body.url !== before.url;
      if (isElsewhere) await limitNew(request);
      const events = body.events && [...new Set(body.events)];
      const row = await changeWebhook(db, profile, id, { ...body, events });
      if (!row) throw new AppError('NOT_FOUND');
      if (isElsewhere) await tellOwner(request, row);
      // A worker ends what waits for one that is off, or sends it to the new address.
      relay.publishWebhook(id, `changed-${Date.now()}`);
      return presentWebhook(row);
    },
  );

  app.delete(
    paths.webhook(':id'),
    {
      onRequest: hook,
      schema: {
        ...common,
        operationId: ids.delete,
        summary: 'Delete a webhook, with what was sent to it',
        params,
        response: { 204: z.null(), ...errorReplies(400, 401, 403, 404, 429) },
      },
    },
    async (request, reply) => {
      const { _id: id, profile } = await find(request, request.params.id);
      if (!(await removeWebhook(db, profile, id))) throw new AppError('NOT_FOUND');
      await removeDeliveriesOf(db, id);
      return reply.status(204).send(null);
    },
  );

  app.post(
    paths.rotate(':id'),
    {
      onRequest: [hook, refuseIdempotencyKey],
      schema: {
        ...common,
        operationId: ids.rotate,
        summary: 'Make another secret, which only this reply shows',
        description: `The one before signs each event as well, for ${limits.webhookRotationHours} hours, so that the receiver can be changed meanwhile. Of those that were replaced, at most ${mostPreviousSecrets} sign at a time: with more, the answer is 429. ${takesNoKey}`,
        params,
        response: { 200: webhookWithSecretSchema, ...errorReplies(400, 401, 403, 404, 429) },
      },
    },
    async (request, reply) => {
      const { _id: id, profile } = await find(request, request.params.id);
      const secret = newWebhookSecret();
      const until = new Date(Date.now() + limits.webhookRotationHours * 3_600_000);
      const row = await rotateSecret(db, profile, id, seal(secret, id), until);
      if (!row) throw new AppError('NOT_FOUND');
      if ('fullUntil' in row) {
        throw new AppError('RATE_LIMITED', {
          message: `This webhook had ${mostPreviousSecrets} new secrets within ${limits.webhookRotationHours} hours. Please try again later`,
          retryAfterSeconds: Math.max(1, Math.ceil((row.fullUntil.getTime() - Date.now()) / 1_000)),
        });
      }
      return reply.header('cache-control', 'no-store').send({ secret, webhook: presentWebhook(row) });
    },
  );

  app.post(
    paths.test(':id'),
    {
      onRequest: send,
      schema: {
        ...common,
        operationId: ids.test,
        summary: 'Send a test event',
        description: `Its type is \`${testEvent}\`. What came of it is in the deliveries. ${takesNoKey}`,
        params,
        response: { 202: webhookDeliverySchema, ...errorReplies(400, 401, 403, 404, 409, 429) },
      },
    },
    async (request, reply) => {
      const endpoint = await find(request, request.params.id);
      if (endpoint.off) throw new AppError('WEBHOOK_OFF');
      const id = newId();
      const row = await insertDelivery(db, {
        profile: endpoint.profile,
        endpoint: endpoint._id,
        event: eventIdOf(`test:${id}`),
        type: testEvent,
        object: id,
        body: bodyOf(endpoint.profile, testEvent, new Date(), { webhookId: endpoint._id }),
      });
      return reply.status(202).send(await sendNow(endpoint, row));
    },
  );

  app.get(
    paths.deliveries(':id'),
    {
      onRequest: hook,
      schema: {
        ...common,
        operationId: ids.deliveries,
        summary: 'What was sent to a webhook, newest first',
        description: `With what it answered, for ${limits.webhookLogDays} days.`,
        params,
        querystring: webhookDeliveriesQuerySchema,
        response: { 200: webhookDeliveryListSchema, ...errorReplies(400, 401, 403, 404, 429) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const { _id: endpoint } = await find(request, request.params.id);
      const before = cursor === undefined ? undefined : decodeCursor(cursor);
      const rows = await listDeliveries(db, endpoint, limit + 1, before);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        deliveries: page.map(presentDelivery),
        nextCursor: rows.length > limit && last ? encodeCursor(last) : null,
      };
    },
  );

  app.post(
    paths.resend(':id', ':deliveryId'),
    {
      onRequest: send,
      schema: {
        ...common,
        operationId: ids.resend,
        summary: 'Send a delivery again',
        description: `With the same \`webhook-id\` and body, and up to ${webhookTries} tries. ${takesNoKey}`,
        params: z.object({ id: z.string(), deliveryId: z.string() }),
        response: { 202: webhookDeliverySchema, ...errorReplies(400, 401, 403, 404, 409, 429) },
      },
    },
    async (request, reply) => {
      const { id, deliveryId } = request.params;
      const endpoint = await find(request, id);
      if (endpoint.off) throw new AppError('WEBHOOK_OFF');
      return reply.status(202).send(await sendNow(endpoint, await sendDeliveryAgain(db, id, deliveryId)));
    },
  );
}
