/** Creates portal sessions. */
import type { Core } from '../../core/core.ts';
import { newId } from '../../core/ids.ts';
import type { PortalSession } from '../../objects.ts';
import { configurationFor } from './configurations.ts';

/** Creates a portal session for a customer. */
export function createPortalSession(
  core: Core,
  params: {
    customer: string;
    returnUrl?: string | undefined;
    configuration?: string | undefined;
  },
): PortalSession {
  core.getOrThrow('customer', params.customer, 'customer');
  const configuration = configurationFor(core, params.configuration);
  const id = newId('bps');
  const session: PortalSession = {
    id,
    object: 'billing_portal.session',
    configuration: configuration.id,
    created: core.now(),
    customer: params.customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: params.returnUrl ?? configuration.default_return_url,
    url: `${core.origin}/p/session/${id}`,
  };
  return core.create(session, 'billing_portal.session.created');
}
