/**
 * A local server that speaks Stripe's API for subscriptions: no money moves, but customers, checkout, invoices,
 * webhooks and the portal behave as in Stripe's test mode, and its clock can be moved.
 */
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { isLocalHost } from '../local-host.ts';
import { Api, toApiError } from './api/api.ts';
import { addCatalogRoutes } from './api/catalog.ts';
import { addChargeRoutes } from './api/charges.ts';
import { addCheckoutRoutes, addPortalApiRoutes } from './api/checkout.ts';
import { addCustomerRoutes } from './api/customers.ts';
import { addEventRoutes, addTestClockRoutes } from './api/events.ts';
import { Faults } from './api/faults.ts';
import { addInvoiceApiRoutes } from './api/invoices.ts';
import { parseForm } from './api/parameters.ts';
import { addScheduleRoutes, addSubscriptionRoutes } from './api/subscriptions.ts';
import { moveClock } from './billing/timeline.ts';
import { StripeControl } from './control.ts';
import { addControlRoutes } from './control-routes.ts';
import { Core } from './core/core.ts';
import { Store } from './core/store.ts';
import { errorBody, unknownRoute } from './errors.ts';
import { createEngine } from './local-engine.ts';
import { registerPages } from './pages/routes.ts';
import { Dispatcher } from './webhooks/dispatcher.ts';

/** How to start the server; every field has a default. */
export interface StripeServerOptions {
  /** 0 picks a free port. */
  port?: number;
  host?: string;
  /** An existing folder that keeps the data; without one it is gone when the server closes. */
  dataFolder?: string;
  /** Adds `/control`. */
  control?: boolean;
  /** The wait before a webhook's second attempt in milliseconds; it doubles with each further one. */
  retryMs?: number;
  /** A webhook is given up after so many attempts. */
  maxAttempts?: number;
  /** Where browsers reach the pages, without a slash at the end, when it is not where the server listens. */
  publicUrl?: string | undefined;
  /** The secret of every webhook made from now on, for whoever cannot be told one; random ones without it. */
  webhookSecret?: string | undefined;
}

/** A server that listens. */
export interface StripeServer {
  /** What goes into the SDK as protocol, host and port. */
  url: string;
  /** What `createStripeControl` takes; answers 404 unless started with `control: true`. */
  controlUrl: string;
  /** Ends open answers, deliveries under way and the listening socket. What waits is delivered after the next start. */
  close(): Promise<void>;
}

/** Longer waits overflow a timer. */
const longestTimerMs = 2 ** 31 - 1;

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

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      try {
        done(null, parseForm(body as string));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  app.setErrorHandler((error, request, reply) => {
    const refusal = toApiError(error, request.id);
    return reply.code(refusal.status).send(errorBody(refusal, request.id));
  });
  app.setNotFoundHandler(async (request) => {
    throw unknownRoute(request.method, request.url.split('?')[0] ?? '');
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'request-id': request.id, 'stripe-version': '2026-10-28.endive' });
    if (!isLocalHost(request.headers.host, options.publicUrl)) {
      return reply.code(421).send('This service answers to local names only.');
    }
  });
  app.get('/healthz', async () => ({ status: 'ok' }));

  const api = new Api(app, core, dispatcher, faults);
  addCustomerRoutes(api);
  addCatalogRoutes(api);
  addCheckoutRoutes(api);
  addPortalApiRoutes(api);
  addSubscriptionRoutes(api);
  addScheduleRoutes(api);
  addInvoiceApiRoutes(api);
  addChargeRoutes(api);
  addEventRoutes(api);
  addTestClockRoutes(api);
  registerPages(app, engine);
  if (options.control === true) {
    addControlRoutes(app, new StripeControl(core, engine, dispatcher, faults), engine, dispatcher);
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

  // Real time passes too: what falls due by itself is done when its moment comes.
  let timer: NodeJS.Timeout | undefined;
  const awaitNextDue = (): void => {
    clearTimeout(timer);
    const next = store.nextDue();
    if (next === undefined) return;
    const waitMs = Math.max(0, next.due - core.now()) * 1000;
    timer = setTimeout(doWhatIsDue, Math.min(waitMs, longestTimerMs));
    timer.unref();
  };
  const doWhatIsDue = (): void => {
    try {
      moveClock(core, core.now());
      awaitNextDue();
    } catch (error) {
      console.error('local stripe: what was due failed:', error);
    }
  };
  store.onCommit = () => {
    dispatcher.kick();
    awaitNextDue();
  };
  doWhatIsDue();
  dispatcher.kick();

  return {
    url,
    controlUrl: `${url}/control`,
    async close() {
      clearTimeout(timer);
      store.onCommit = () => {};
      await app.close();
      await dispatcher.close();
      store.close();
    },
  };
}
