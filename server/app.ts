import type { IncomingMessage, ServerResponse } from 'node:http';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance, type RawServerDefault } from 'fastify';
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { limits } from '../shared/contract/index.ts';
import { accountRoutes } from './account.ts';
import type { ServerContext } from './context.ts';
import { type Deadlines, deadline, usualDeadlines } from './plugins/deadline.ts';
import { docs } from './plugins/docs.ts';
import { drain } from './plugins/drain.ts';
import { answerError, answerUnreadable, errors } from './plugins/errors.ts';
import { headers } from './plugins/headers.ts';
import { networkLimits } from './plugins/network-limits.ts';
import { sameOrigin } from './plugins/origin.ts';
import { sessions } from './plugins/session.ts';
import { web } from './plugins/web.ts';
import { billingRoutes } from './routes/billing.ts';
import { confirmEmailRoutes } from './routes/confirm-email.ts';
import { creditEntryRoutes } from './routes/credit-entries.ts';
import { generationRoutes } from './routes/generations.ts';
import { healthRoutes } from './routes/health.ts';
import { imageRoutes } from './routes/images.ts';
import { passwordResetRoutes } from './routes/password-reset.ts';
import { serviceRoutes } from './routes/service.ts';
import { sessionRoutes } from './routes/session.ts';
import { signUpRoutes } from './routes/sign-up.ts';
import { stripeWebhookRoutes } from './routes/stripe-webhook.ts';
import { undoEmailRoutes } from './routes/undo-email.ts';
import { unlockRoutes } from './routes/unlock.ts';
import { verifyEmailRoutes } from './routes/verify-email.ts';
import { createUploadSlots, type UploadSlotLimits, usualSlots } from './upload-slots.ts';

/** Bounds of requests that a test may narrow. */
export interface AppOptions {
  deadlines?: Deadlines;
  uploads?: UploadSlotLimits;
}

/** The API without a listener: `server.ts` opens that, tests may inject. */
export async function buildApp(context: ServerContext, options: AppOptions = {}): Promise<App> {
  const { config } = context;
  const { deadlines = usualDeadlines, uploads = usualSlots } = options;
  const app: App = Fastify({
    loggerInstance: context.log,
    bodyLimit: limits.jsonBytes,
    trustProxy: (_address, hop) => hop < config.trustedProxies,
    routerOptions: { maxParamLength: 200 },
    requestIdHeader: false,
    genReqId: () => crypto.randomUUID(),
    // A slow upload is fine, a silent connection is not.
    connectionTimeout: 120_000,
    http: { headersTimeout: deadlines.headersMs, connectionsCheckingInterval: deadlines.headersCheckMs },
    frameworkErrors: answerError,
    clientErrorHandler: answerUnreadable,
    // What still comes while the server ends is answered like anything else, in the one shape of all answers.
    return503OnClosing: false,
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  // Handlers' replies are held to their schemas by the compiler, and by tests; checking each one again at run time
  // costs more than presenting them.
  app.setSerializerCompiler(() => (reply) => JSON.stringify(reply));

  await app.register(drain);
  await app.register(deadline, { deadlines });
  await app.register(errors);
  await app.register(headers, { secure: config.secure });
  await app.register(sameOrigin, { publicUrl: config.publicUrl });
  // Every body is JSON but one.
  app.removeContentTypeParser('text/plain');
  await app.register(networkLimits, { context });
  await app.register(sessions, { context });
  await app.register(docs);

  await healthRoutes(app, { context });
  await serviceRoutes(app, { context });
  await signUpRoutes(app, { context });
  await verifyEmailRoutes(app, { context });
  await sessionRoutes(app, { context });
  await passwordResetRoutes(app, { context });
  await unlockRoutes(app, { context });
  await confirmEmailRoutes(app, { context });
  await undoEmailRoutes(app, { context });
  await accountRoutes(app, { context });
  await app.register(async (scope) => {
    await scope.register(multipart, { throwFileSizeLimit: false });
    // A scope inherits what the app has; its type does not say so.
    await generationRoutes(scope as unknown as App, { context, slots: createUploadSlots(uploads) });
  });
  await imageRoutes(app, { context });
  await billingRoutes(app, { context });
  await creditEntryRoutes(app, { context });
  await app.register((scope) => stripeWebhookRoutes(scope as unknown as App, { context }));
  await app.register(web);
  return app;
}

/** Fastify with requests and replies typed by their zod schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  ServerContext['log'],
  ZodTypeProvider
>;
