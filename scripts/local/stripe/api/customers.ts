/** `/v1/customers` and `/v1/payment_methods`. */
import { z } from 'zod';
import { createCustomer, deleteCustomer, updateCustomer } from '../billing/customers.ts';
import { attach } from '../billing/payment-methods.ts';
import { noSuch } from '../errors.ts';
import type { Api } from './api.ts';
import { metadata, nonEmptyText, text } from './parameters.ts';

const customerFields = z.strictObject({
  email: text.optional(),
  name: text.optional(),
  metadata: metadata.optional(),
  invoice_settings: z.strictObject({ default_payment_method: text.optional() }).optional(),
});

/** Adds the calls for customers and their cards. */
export function addCustomerRoutes(api: Api): void {
  const { core } = api;
  const { store } = core;

  api.post('/v1/customers', customerFields, (input) => createCustomer(core, input));
  api.retrieve('/v1/customers/:id', (id) => {
    const found = store.get('customer', id) ?? store.get('deleted_customer', id);
    if (found === undefined) throw noSuch('customer', id);
    return found;
  });
  api.post('/v1/customers/:id', customerFields, (input, { id }) => updateCustomer(core, id as string, input));
  api.delete('/v1/customers/:id', z.strictObject({}), (_input, { id }) => deleteCustomer(core, id as string));
  api.list('/v1/customers', z.strictObject({ email: nonEmptyText.optional() }), (input) =>
    store.list('customer').filter(({ email }) => input.email === undefined || email === input.email),
  );

  api.list('/v1/payment_methods', z.strictObject({ customer: nonEmptyText }), ({ customer }) => {
    core.getOrThrow('customer', customer, 'customer');
    return store.list('payment_method', { customer });
  });
  api.retrieve('/v1/payment_methods/:id', (id) => core.getOrThrow('payment_method', id));
  api.post(
    '/v1/payment_methods/:id/attach',
    z.strictObject({ customer: nonEmptyText }),
    ({ customer }, { id }) => attach(core, id as string, customer),
  );
}
