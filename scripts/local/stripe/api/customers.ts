/** `/v1/customers`, `/v1/payment_methods`, `/v1/payment_intents`. */
import { z } from 'zod';
import { createCustomer, deleteCustomer, updateCustomer } from '../billing/customers.ts';
import { attach, createCard, detach, getCard } from '../billing/payment-methods.ts';
import { invalidRequest, noSuch } from '../errors.ts';
import type { Api } from './api.ts';
import { flag, integer, list, metadata, newMetadata, nonEmptyText, text } from './fields.ts';

const customerFields = {
  email: text.optional(),
  name: text.optional(),
  description: text.optional(),
  phone: text.optional(),
  address: z.union([z.literal(''), z.record(z.string(), z.string())]).optional(),
  preferred_locales: list(nonEmptyText).optional(),
  invoice_settings: z.strictObject({ default_payment_method: text.optional() }).optional(),
};

/** Adds the calls for customers, payment methods and payment intents. */
export function addCustomerRoutes(api: Api): void {
  const { core } = api;
  const { store } = core;
  const customerOrDeleted = (id: string) => {
    const found = store.get('customer', id) ?? store.get('deleted_customer', id);
    if (found === undefined) throw noSuch('customer', id);
    return found;
  };

  api.post(
    '/v1/customers',
    z.strictObject({
      ...customerFields,
      metadata: newMetadata.optional(),
      payment_method: nonEmptyText.optional(),
      test_clock: nonEmptyText.optional(),
    }),
    (input) => createCustomer(core, input),
  );
  api.retrieve('/v1/customers/:id', customerOrDeleted);
  api.post(
    '/v1/customers/:id',
    z.strictObject({ ...customerFields, metadata: metadata.optional() }),
    (input, { id }) => updateCustomer(core, id as string, input),
  );
  api.delete('/v1/customers/:id', z.strictObject({}), (_input, { id }) => deleteCustomer(core, id as string));
  api.list(
    '/v1/customers',
    z.strictObject({ email: nonEmptyText.optional(), test_clock: nonEmptyText.optional() }),
    (input) =>
      store
        .list('customer')
        .filter(
          ({ email, test_clock: clock }) =>
            (input.email === undefined || email === input.email) &&
            (input.test_clock === undefined || clock === input.test_clock),
        ),
  );

  const cardsOf = (customer: string | undefined) => {
    if (customer !== undefined) core.getOrThrow('customer', customer, 'customer');
    return store
      .list('payment_method', customer === undefined ? {} : { customer })
      .filter((method) => method.customer !== null);
  };
  const type = z.literal('card').optional();
  api.list('/v1/customers/:id/payment_methods', z.strictObject({ type }), (_input, { id }) => cardsOf(id));
  api.get('/v1/customers/:id/payment_methods/:method', z.strictObject({}), (_input, { id, method }) => {
    const found = cardsOf(id).find((each) => each.id === method);
    if (found === undefined) throw noSuch('PaymentMethod', String(method));
    return found;
  });
  api.list(
    '/v1/payment_methods',
    z.strictObject({ customer: nonEmptyText.optional(), type }),
    ({ customer }) => cardsOf(customer),
  );
  api.post(
    '/v1/payment_methods',
    z.strictObject({
      type: z.literal('card'),
      card: z.strictObject({
        number: nonEmptyText.optional(),
        exp_month: integer.optional(),
        exp_year: integer.optional(),
        cvc: text.optional(),
        token: nonEmptyText.optional(),
      }),
      billing_details: z.strictObject({ email: text.optional(), name: text.optional() }).optional(),
      metadata: newMetadata.optional(),
    }),
    ({ card, billing_details: billing }) => {
      if (card.token !== undefined) return getCard(core, card.token.replace(/^tok_/, 'pm_card_'));
      const { number, exp_month: expMonth, exp_year: expYear } = card;
      if (number === undefined || expMonth === undefined || expYear === undefined) {
        throw invalidRequest('Give number, exp_month and exp_year.', 'card', 'parameter_missing');
      }
      return createCard(core, {
        cardNumber: number,
        expMonth,
        expYear,
        ...(billing?.name === undefined ? {} : { name: billing.name }),
        ...(billing?.email === undefined ? {} : { email: billing.email }),
      });
    },
  );
  api.retrieve('/v1/payment_methods/:id', (id) => core.getOrThrow('payment_method', id));
  api.post(
    '/v1/payment_methods/:id/attach',
    z.strictObject({ customer: nonEmptyText, allow_redisplay: nonEmptyText.optional() }),
    ({ customer }, { id }) => attach(core, id as string, customer),
  );
  api.post('/v1/payment_methods/:id/detach', z.strictObject({}), (_input, { id }) =>
    detach(core, id as string),
  );

  api.retrieve('/v1/payment_intents/:id', (id) => core.getOrThrow('payment_intent', id));
  api.list('/v1/payment_intents', z.strictObject({ customer: nonEmptyText.optional() }), ({ customer }) =>
    store.list('payment_intent', { customer }),
  );
  api.list(
    '/v1/invoice_payments',
    z.strictObject({ invoice: nonEmptyText.optional(), is_default: flag.optional() }),
    ({ invoice }) => store.list('invoice_payment', { owner: invoice }),
  );
}
