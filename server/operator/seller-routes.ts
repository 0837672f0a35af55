import { z } from 'zod';
import {
  creditEntryListSchema,
  operatorBillingSchema,
  operatorPaths,
  operatorSellerListSchema,
  operatorSellerQuerySchema,
  operatorSellerViewSchema,
  operatorStripePlanSchema,
  pageQuerySchema,
} from '#contract';
import { ledgerPage } from '#server/billing/ledger-page.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { customersOf } from '#shared/billing/customer.ts';
import { fetchBillingState } from '#shared/billing/fetch-billing-state.ts';
import { searchAccounts } from '#shared/data/accounts/users.ts';
import { AppError } from '#shared/platform/errors.ts';
import { presentOperatorSeller, presentStripePlan } from './present-seller.ts';
import { billingOf } from './seller-billing.ts';
import { sellerOf } from './seller-of.ts';
import { operatorSellerView } from './seller-view.ts';

/** Sellers that a search shows. */
const listed = 20;

/** Sellers as operators see them: search, balance, ledger, and the plan here and at Stripe. */
export async function operatorSellerRoutes(app: App, { context }: { context: ServerContext }) {
  const { db, billing } = context;

  app.get(
    operatorPaths.sellers,
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'findSellers',
        tags: ['operator'],
        summary: 'Find sellers by the beginning of their address, or by id',
        querystring: operatorSellerQuerySchema,
        response: { 200: operatorSellerListSchema, ...errorReplies(400, 401, 403) },
      },
    },
    async (request) => {
      const found = await searchAccounts(db, request.query.query, listed + 1);
      return { sellers: found.slice(0, listed).map(presentOperatorSeller), more: found.length > listed };
    },
  );

  app.get(
    operatorPaths.seller(':id'),
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'getSeller',
        tags: ['operator'],
        summary: 'A seller with balance and plan, for operators',
        params: z.object({ id: z.string() }),
        response: { 200: operatorSellerViewSchema, ...errorReplies(400, 401, 403, 404) },
      },
    },
    async (request) => operatorSellerView(context, await sellerOf(db, request.params.id)),
  );

  app.get(
    operatorPaths.sellerLedger(':id'),
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'getSellerLedger',
        tags: ['operator'],
        summary: "A seller's ledger for operators, newest first",
        params: z.object({ id: z.string() }),
        querystring: pageQuerySchema,
        response: { 200: creditEntryListSchema, ...errorReplies(400, 401, 403, 404) },
      },
    },
    async (request) => ledgerPage(db, (await sellerOf(db, request.params.id))._id, request.query),
  );

  app.get(
    operatorPaths.sellerBilling(':id'),
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'getSellerBilling',
        tags: ['operator'],
        summary: "What ending a seller's billing would do, with dates and amounts",
        description:
          'As Stripe has it now; if Stripe does not answer, what is stored, without amounts. Only reads.',
        params: z.object({ id: z.string() }),
        response: { 200: operatorBillingSchema, ...errorReplies(400, 401, 403, 404) },
      },
    },
    async (request) => billingOf(context, await sellerOf(db, request.params.id)),
  );

  app.get(
    operatorPaths.sellerStripe(':id'),
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'getSellerPlan',
        tags: ['operator'],
        summary: "A seller's plan as Stripe has it now",
        description: 'Only reads: what is stored here stays as it is.',
        params: z.object({ id: z.string() }),
        response: { 200: operatorStripePlanSchema, ...errorReplies(400, 401, 403, 404, 503) },
      },
    },
    async (request) => {
      const seller = await sellerOf(db, request.params.id);
      const customers = customersOf(seller);
      if (customers.length === 0) return presentStripePlan(null);
      const state = await fetchBillingState(billing, customers, seller).catch((cause) => {
        throw new AppError('SUBSCRIPTION_UNREADABLE', { cause });
      });
      return presentStripePlan(state);
    },
  );
}
