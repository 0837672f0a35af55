/**
 * The pages of the local Stripe: checkout, 3-D Secure, portal, invoices and a dashboard. They are plain HTML forms
 * without scripts.
 */
import { readFileSync } from 'node:fs';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { StripeEngine } from '../engine.ts';
import { createPageRoutes, send } from './answer.ts';
import { addChallengeRoutes } from './challenge.ts';
import { addCheckoutRoutes } from './checkout-page.ts';
import { addDashboardRoutes } from './dashboard.ts';
import { addInvoiceRoutes } from './invoice-page.ts';
import { PageNotFound, problemPage } from './layout.ts';
import { addPortalRoutes } from './portal-routes.ts';

/** Far more than any form of these pages needs. */
const formLimit = 64 * 1024;

/**
 * Registers the pages in a Fastify scope of their own, so that their form parser and error pages do not affect the
 * API.
 */
export function registerPages(app: FastifyInstance, engine: StripeEngine): void {
  app.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formLimit },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );
    pages.addHook('onRequest', async (_request, reply) => {
      reply.headers({
        // After the back button, a page must show what a form has changed.
        'cache-control': 'no-store',
        'content-security-policy':
          "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
      });
    });
    pages.setErrorHandler(answerError);

    const style = readFileSync(new URL('style.css', import.meta.url), 'utf8');
    pages.get('/pages/style.css', async (_request, reply) =>
      reply.type('text/css; charset=utf-8').send(style),
    );
    const routes = createPageRoutes(pages);
    addDashboardRoutes(routes, engine);
    addCheckoutRoutes(routes, engine);
    addChallengeRoutes(routes, engine);
    addPortalRoutes(routes, engine);
    addInvoiceRoutes(routes, engine);
  });
}

/** The page for an error: messages of the engine are shown, anything else is hidden. */
function answerError(
  error: FastifyError & { status?: number },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof PageNotFound) {
    return send(reply, { page: problemPage({ title: error.title, text: error.message }), status: 404 });
  }
  const status = error.statusCode ?? error.status ?? 500;
  if (status >= 500) console.error(`stripe pages: ${request.method} ${request.url} failed:`, error);
  // A failed form of the portal links back to the portal's first page.
  const portal = /^\/p\/session\/[^/?]+/.exec(request.url)?.[0];
  return send(reply, {
    page: problemPage({
      title: 'That did not work',
      text: status >= 500 ? 'Something went wrong on our side. Please try again.' : error.message,
      ...(portal !== undefined && { back: { address: portal, text: 'Back to your subscription' } }),
    }),
    status,
  });
}
