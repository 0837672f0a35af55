/**
 * A local server with Stripe's API for subscriptions. No money moves, but customers, checkout, invoices, webhooks and
 * the portal behave as in Stripe's test mode, and its clock can be moved.
 */
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { isLocalHost } from '../local-host.ts';
import { addAmountRoutes } from './api/amounts.ts';
import { Api, toApiError } from './api/api.ts';
import { parseForm } from './api/parameters.ts';
import { Faults } from './api/replies.ts';
import { addResourceRoutes } from './api/resources.ts';
import { addScheduleRoutes, addSubscriptionRoutes } from './api/subscriptions.ts';
import { DueTimer } from './billing/timeline.ts';
import { addControlRoutes } from './control.ts';
import { Core } from './core/core.ts';
import { Store } from './core/store.ts';
import { createEngine } from './engine.ts';
import { errorBody, unknownRoute } from './errors.ts';
import { registerPages } from './pages/routes.ts';
import { Dispatcher } from './webhooks/dispatcher.ts';

/** Options of the server; all are optional. */
export interface StripeServerOptions {
  /** 0 for any free port. */
  port?: number;
  host?: string;
  /** An existing folder for the data; without one, the data is lost when the server closes. */
  dataFolder?: string;
  /** Adds `/control`. */
  control?: boolean;
  /** The delay before the second attempt of a webhook in milliseconds; it doubles with each further attempt. */
  retryMs?: number;
  /** A webhook is given up after this many attempts. */
  maxAttempts?: number;
  /** The URL at which browsers reach the pages, without a trailing slash, if it is not the server's own. */
  publicUrl?: string | undefined;
  /** Called with each request of the API, before it is answered. */
  onRequest?: ((request: ApiRequest) => void) | undefined;
  /** The secret of new webhook endpoints, for programs that have to know it beforehand; random by default. */
  webhookSecret?: string | undefined;
}

/** A request of the API as it was received. */
export interface ApiRequest {
  method: string;
  /** Path and query. */
  url: string;
  /** The form as it was sent; undefined without one. */
  form: string | undefined;
}

/** A running server. */
export interface StripeServer {
  /** Gives the SDK its protocol, host and port. */
  url: string;
  /** For `createStripeControl`; answers 404 unless the server was started with `control: true`. */
  controlUrl: string;
  /** Aborts open requests and deliveries and stops listening. Pending webhooks are delivered after the next start. */
  close(): Promise<void>;
}

/**
 * Starts the server and resolves when it listens.
 * @throws the listen error, such as EADDRINUSE
 */
export async function startStripeServer(options: StripeServerOptions = {}): Promise<StripeServer> {
  const { port = 0, host = '127.0.0.1', dataFolder, retryMs = 1000, maxAttempts = 8 } = options;
  const store = new Store(dataFolder);
  const core = new Core(store);
  core.webhookSecret = options.webhookSecret;
  const dispatcher = new Dispatcher(store, { retryMs, maxAttempts });
  const engine = createEngine(core, dispatcher);
  const faults = new Faults();
  const app = Fastify({
    bodyLimit: 1024 ** 2,
    forceCloseConnections: true,
    genReqId: () => `req_${randomBytes(7).toString('hex')}`,
    routerOptions: { maxParamLength: 300 },
  });

  addFormParser(app, options.onRequest);
  addErrorReplies(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'request-id': request.id, 'stripe-version': '2026-10-28.endive' });
    if (!isLocalHost(request.headers.host, options.publicUrl)) {
      return reply.code(421).send('This service answers to local names only.');
    }
  });
  app.get('/healthz', async () => ({ status: 'ok' }));

  const api = new Api(app, core, faults);
  addResourceRoutes(api);
  addSubscriptionRoutes(api);
  addAmountRoutes(api);
  addScheduleRoutes(api);
  registerPages(app, engine);
  if (options.control === true) {
    addControlRoutes(app, core, engine, dispatcher, faults);
  }

  try {
    await app.listen({ port, host });
  } catch (error) {
    store.close();
    throw error;
  }
  const address = app.server.address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  core.origin = options.publicUrl ?? url;

  const due = new DueTimer(core);
  store.onCommit = () => {
    dispatcher.kick();
    due.schedule();
  };
  due.run();
  dispatcher.kick();

  return {
    url,
    controlUrl: `${url}/control`,
    async close() {
      due.stop();
      store.onCommit = () => {};
      await app.close();
      await dispatcher.close();
      store.close();
    },
  };
}

function addFormParser(app: FastifyInstance, onRequest: StripeServerOptions['onRequest']): void {
  const forms = new WeakMap<FastifyRequest, string>();
  if (onRequest) {
    app.addHook('preHandler', async (request) => {
      const { method, url } = request;
      if (url.startsWith('/v1/')) onRequest({ method, url, form: forms.get(request) });
    });
  }
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (request, body, done) => {
      forms.set(request, body as string);
      try {
        done(null, parseForm(body as string));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

function addErrorReplies(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const apiError = toApiError(error, request.id);
    return reply.code(apiError.status).send(errorBody(apiError, request.id));
  });
  app.setNotFoundHandler(async (request) => {
    throw unknownRoute(request.method, request.url.split('?')[0] ?? '');
  });
}
