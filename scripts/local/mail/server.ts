/**
 * A local mail server: receives mails by SMTP, stores them, and shows them on a web page instead of delivering them.
 */
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { isLocalHost } from '../local-host.ts';
import { addApiRoutes, Behaviours, behaviourSchema, replyBadRequest } from './api-routes.ts';
import { makeCertificate } from './certificate.ts';
import { addPageRoutes } from './page-routes.ts';
import { listenForMail, type SmtpSecurity } from './smtp.ts';
import { MailStore } from './store.ts';

/** Options of the server; all are optional. */
export interface MailServerOptions {
  /** Port for SMTP; 0 for any free port. */
  port?: number;
  /** Port for the web page and the API; 0 for any free port. */
  webPort?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Folder for the mails; without one, they are kept in memory. */
  dataFolder?: string | undefined;
  /** Adds `POST /control`. */
  control?: boolean;
  /** Encrypts SMTP: offered with STARTTLS, or from the first byte. Default none: a password is then refused. Needs `openssl`. */
  tls?: SmtpSecurity['tls'];
  /** Who may send; everybody without. */
  account?: SmtpSecurity['account'];
}

/** A running server. */
export interface MailServer {
  /** `smtp://HOST:PORT` or `smtps://HOST:PORT`, for mail clients. */
  url: string;
  /** The certificate with which clients trust it, in PEM; undefined without TLS. */
  certificate: string | undefined;
  /** `http://HOST:PORT`, for browsers and for `createMailClient`. */
  pageUrl: string;
  /** Closes all connections and releases the ports and the data folder. */
  close(): Promise<void>;
}

/**
 * Starts the server and resolves when both ports listen.
 * @throws the listen error, such as EADDRINUSE; MailFolderInUse when another server uses the folder
 */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { port = 0, webPort = 0, host = '127.0.0.1', dataFolder, control = false, tls, account } = options;
  const certificate = tls && (await makeCertificate());
  const store = new MailStore(dataFolder);
  const closing = new AbortController();
  const behaviours = new Behaviours();
  const app = makeWebServer(store, closing.signal, control ? behaviours : undefined);
  try {
    await app.listen({ port: webPort, host });
    const smtp = await listenForMail(port, host, store, behaviours, { tls, certificate, account });
    const name = host.includes(':') ? `[${host}]` : host;
    return {
      url: `${tls === 'implicit' ? 'smtps' : 'smtp'}://${name}:${smtp.port}`,
      certificate: certificate?.cert,
      pageUrl: `http://${name}:${(app.server.address() as AddressInfo).port}`,
      async close() {
        closing.abort();
        await smtp.close();
        await app.close();
        store.close();
      },
    };
  } catch (error) {
    await app.close();
    store.close();
    throw error;
  }
}

/** The web server: page, API and, if `behaviours` are given, the control endpoint. */
function makeWebServer(
  store: MailStore,
  closing: AbortSignal,
  behaviours: Behaviours | undefined,
): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'x-content-type-options': 'nosniff',
      // Links in mails contain tokens.
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    if (!isLocalHost(request.headers.host)) {
      return reply.code(421).send({ error: 'this service answers to local names only' });
    }
  });
  addPageRoutes(app, store);
  addApiRoutes(app, store, closing);
  if (behaviours !== undefined) {
    app.post('/control', async (request, reply) => {
      const behaviour = behaviourSchema.safeParse(request.body);
      if (!behaviour.success) return replyBadRequest(reply, behaviour.error);
      behaviours.set(behaviour.data);
      return behaviour.data;
    });
  }
  return app;
}
