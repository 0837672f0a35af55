import multipart from '@fastify/multipart';
import Fastify from 'fastify';
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { limits } from '#contract';
import { passkeyChallengeRoutes } from '#server/accounts/passkeys/challenge-routes.ts';
import { type Log, requestLog } from '#shared/platform/log.ts';
import { newTrace } from '#shared/platform/trace.ts';
import type { Tracing } from '#shared/tracing/record-traces.ts';
import { confirmEmailRoutes } from './accounts/email/confirm-routes.ts';
import { linkAddressRoutes } from './accounts/email/link-address-routes.ts';
import { reachableRoutes } from './accounts/email/reachable-routes.ts';
import { undoEmailRoutes } from './accounts/email/undo-routes.ts';
import { passwordResetRoutes } from './accounts/passwords/reset-routes.ts';
import { accountRoutes } from './accounts/routes.ts';
import { sessionRoutes } from './accounts/sign-in/routes.ts';
import { unlockRoutes } from './accounts/sign-in/unlock-routes.ts';
import { signUpRoutes } from './accounts/sign-up/routes.ts';
import { verifyEmailRoutes } from './accounts/sign-up/verify-email-routes.ts';
import { keepTwoFactorRoutes } from './accounts/two-factor/removal-routes.ts';
import { apiKeys } from './auth/api-key.ts';
import { sessions } from './auth/session.ts';
import { batchRoutes } from './batches/routes.ts';
import { creditEntryRoutes } from './billing/credit-entry-routes.ts';
import { billingRoutes } from './billing/routes.ts';
import { stripeWebhookRoutes } from './billing/webhook.ts';
import { applicationRoutes } from './contact/application-routes.ts';
import { contactRoutes } from './contact/contact-routes.ts';
import { againRoutes } from './generations/again-routes.ts';
import { generationRoutes } from './generations/routes.ts';
import { waitingRoutes } from './generations/waiting.ts';
import type { App } from './http/app-type.ts';
import type { ServerContext } from './http/context.ts';
import { errorHandling, replyToUnreadable, replyWithError } from './http/errors.ts';
import { parseJsonBodies } from './http/json-body.ts';
import { editRoutes } from './images/edit-routes.ts';
import { imageExportRoutes } from './images/export-routes.ts';
import { exportPresetRoutes } from './images/preset-routes.ts';
import { imageRoutes } from './images/routes.ts';
import { libraryRoutes } from './library/library-routes.ts';
import { libraryListRoutes } from './library/routes.ts';
import { trashRoutes } from './library/trash-routes.ts';
import { lookRoutes } from './looks/routes.ts';
import { unsubscribeRoutes } from './mail/unsubscribe-routes.ts';
import { mailWebhookRoutes } from './mail/webhook.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { operatorRoutes } from './operator/routes.ts';
import { photoAddressRoutes, photoAddressSlots } from './photo-addresses/routes.ts';
import { photoCheckRoutes } from './photo-checks/routes.ts';
import { type Deadlines, deadline, usualDeadlines } from './plugins/deadline.ts';
import { docs } from './plugins/docs.ts';
import { headers } from './plugins/headers.ts';
import { networkLimits } from './plugins/network-limits.ts';
import { openRequests } from './plugins/open-requests.ts';
import { sameOrigin } from './plugins/origin.ts';
import { replyDeadline } from './plugins/reply-deadline.ts';
import { replySchemas } from './plugins/reply-schemas.ts';
import { logRequest, RequestLog, requestLines } from './plugins/request-lines.ts';
import { requestMetrics } from './plugins/request-metrics.ts';
import { revalidation } from './plugins/revalidation.ts';
import { sellerLimits } from './plugins/seller-limits.ts';
import { traceGivenBy, traces } from './plugins/traces.ts';
import { web } from './plugins/web.ts';
import { wellKnown } from './plugins/well-known.ts';
import { projectRoutes } from './projects/routes.ts';
import { builtSite, openSite } from './site/site.ts';
import { sketchRoutes } from './sketches/routes.ts';
import { healthRoutes } from './status/health-routes.ts';
import { serviceRoutes } from './status/service-routes.ts';
import { createSlots, downloadSlots, type SlotLimits, uploadSlots } from './uploads/slots.ts';
import { usageRoutes } from './usage/routes.ts';
import { createEventStreams } from './v1/event-streams.ts';
import { v1Routes } from './v1/routes.ts';
import { routesByKey, sandboxContext, sandboxRoutes } from './v1/sandbox.ts';
import { createEndWaits } from './v1/wait.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** What records traces, and limits of requests that tests make shorter. */
export interface AppOptions {
  deadlines?: Deadlines;
  uploads?: SlotLimits;
  downloads?: SlotLimits;
  /**
   * The folder of the built web app that is served, if there is one; `web/dist` unless given. Null for none: tests of the API
   * start faster without.
   */
  site?: string | null;
  /** Records the traces of this process. */
  tracing?: Pick<Tracing, 'fastify'> | null;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers the requests that wait for images and ends event streams, so that a server that closes need not wait for them. */
    endWaits(): void;
  }
}

/** Builds the API without a listener. */
export async function buildApp(context: ServerContext, options: AppOptions = {}): Promise<App> {
  const { config } = context;
  const { deadlines = usualDeadlines, uploads = uploadSlots, site: siteFolder = builtSite } = options;
  const downloads = createSlots(options.downloads ?? downloadSlots, 'TOO_MANY_DOWNLOADS');
  const site = siteFolder === null ? null : await openSite(siteFolder, context);
  const app: App = Fastify({
    loggerInstance: context.log,
    logController: new RequestLog(),
    bodyLimit: limits.jsonBytes,
    trustProxy: (_address, hop) => hop < config.trustedProxies,
    routerOptions: { maxParamLength: 200, constraints: routesByKey },
    requestIdHeader: false,
    genReqId: ({ headers }) => (traceGivenBy(headers, config.trustedProxies) ?? newTrace()).id,
    childLoggerFactory: (log, bindings, options) => requestLog(log as Log, bindings.reqId, options),
    keepAliveTimeout: deadlines.idleMs,
    connectionTimeout: deadlines.silentMs,
    http: { headersTimeout: deadlines.headersMs, connectionsCheckingInterval: deadlines.headersCheckMs },
    frameworkErrors(error, request, reply) {
      // Errors before routing skip all hooks.
      logRequest(request, reply);
      return replyWithError(error, request, reply);
    },
    clientErrorHandler: replyToUnreadable,
    // Requests that arrive while the server closes are answered as usual.
    return503OnClosing: false,
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);

  await app.register(traces, { trustedProxies: config.trustedProxies, tracing: options.tracing });
  await app.register(requestLines);
  await app.register(openRequests);
  if (config.metrics) await app.register(requestMetrics);
  await app.register(deadline, { deadlines });
  await app.register(replyDeadline, { deadlines });
  await app.register(errorHandling, { linkUrl: config.linkUrl });
  await app.register(replySchemas);
  await app.register(revalidation);
  const delivered = config.imageDelivery === 'presigned' ? context.storage.presigned : undefined;
  await app.register(headers, {
    secure: config.secure,
    imageOrigin: delivered?.origin,
    release: site?.releaseId,
  });
  await app.register(sameOrigin, { publicUrl: config.publicUrl });
  // Bodies are JSON, except uploads and Stripe's webhook, which register their own parsers.
  app.removeContentTypeParser('text/plain');
  parseJsonBodies(app);
  await app.register(networkLimits, { context });
  await app.register(sessions, { context });
  await app.register(sellerLimits, { context });
  await app.register(apiKeys, { context });
  await app.register(docs, { config });

  await healthRoutes(app, { context });
  await serviceRoutes(app, { context });
  await signUpRoutes(app, { context });
  await verifyEmailRoutes(app, { context });
  await sessionRoutes(app, { context });
  await passkeyChallengeRoutes(app, { context });
  await passwordResetRoutes(app, { context });
  await unlockRoutes(app, { context });
  await keepTwoFactorRoutes(app, { context });
  await confirmEmailRoutes(app, { context });
  await undoEmailRoutes(app, { context });
  await linkAddressRoutes(app, { context });
  await reachableRoutes(app, { context });
  await accountRoutes(app, { context, downloads });
  const photoSlots = createSlots(photoAddressSlots, 'TOO_MANY_UPLOADS');
  const waits = createEndWaits(context);
  const streams = createEventStreams(context);
  const sandbox = sandboxContext(context);
  const sandboxWaits = createEndWaits(sandbox);
  const sandboxStreams = createEventStreams(sandbox);
  app.decorate('endWaits', () => {
    for (const each of [waits, sandboxWaits, streams, sandboxStreams]) each.endAll();
  });
  await app.register(async (scope: App) => {
    await scope.register(multipart, { throwFileSizeLimit: false });
    const slots = createSlots(uploads, 'TOO_MANY_UPLOADS');
    await generationRoutes(scope, { context, slots });
    await scope.register((v1: App) =>
      v1Routes(v1, { context, slots, photoSlots, downloads, waits, streams }),
    );
    await scope.register((v1: App) =>
      sandboxRoutes(v1, {
        context: sandbox,
        waits: sandboxWaits,
        streams: sandboxStreams,
        slots: { uploads, photos: photoAddressSlots, downloads: options.downloads ?? downloadSlots },
      }),
    );
    await batchRoutes(scope, { context, slots, downloads });
    await applicationRoutes(scope, { context });
  });
  await photoCheckRoutes(app, { context });
  await sketchRoutes(app, { context });
  await photoAddressRoutes(app, { context, slots: photoSlots });
  await imageRoutes(app, { context });
  await editRoutes(app, { context });
  await imageExportRoutes(app, { context, downloads });
  await exportPresetRoutes(app, { context });
  await againRoutes(app, { context });
  await libraryRoutes(app, { context });
  await libraryListRoutes(app, { context });
  await trashRoutes(app, { context });
  await projectRoutes(app, { context });
  await lookRoutes(app, { context });
  await waitingRoutes(app, { context });
  await billingRoutes(app, { context });
  await creditEntryRoutes(app, { context });
  await usageRoutes(app, { context });
  await notificationRoutes(app, { context });
  await webhookRoutes(app, { context });
  await operatorRoutes(app, { context, downloads });
  await contactRoutes(app, { context });
  await app.register((scope: App) => stripeWebhookRoutes(scope, { context }));
  await app.register(wellKnown, { config });
  await mailWebhookRoutes(app, { context });
  await app.register((scope: App) => unsubscribeRoutes(scope, { context }));
  await app.register(web, { config, site });
  return app;
}
