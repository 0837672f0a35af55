/** Portal configurations: what customers can do in the portal. */
import { type Core, newId } from '../../core/core.ts';
import { invalidRequest } from '../../errors.ts';
import type { PortalConfiguration } from '../../objects.ts';
import { mergeMetadata } from '../customers.ts';

type Features = PortalConfiguration['features'];

/** The features to set; omitted ones keep their value. */
interface FeatureParams {
  customer_update?: Partial<Features['customer_update']> | undefined;
  invoice_history?: Features['invoice_history'] | undefined;
  payment_method_update?: { enabled: boolean } | undefined;
  subscription_cancel?:
    | {
        enabled: boolean;
        mode?: string | undefined;
        cancellation_reason?: { enabled: boolean; options?: string[] | undefined } | undefined;
      }
    | undefined;
  subscription_update?:
    | {
        enabled: boolean;
        default_allowed_updates?: string[] | undefined;
        products?: { product: string; prices: string[] }[] | undefined;
        proration_behavior?: string | undefined;
        schedule_at_period_end?: { conditions?: { type: string }[] | undefined } | undefined;
      }
    | undefined;
}

/** Parameters of a configuration. */
export interface ConfigurationParams {
  features?: FeatureParams | undefined;
  business_profile?: { headline?: string | undefined } | undefined;
  default_return_url?: string | undefined;
  metadata?: Record<string, string> | '' | undefined;
  active?: boolean | undefined;
}

const nothingAllowed: Features = {
  customer_update: { allowed_updates: [], enabled: false },
  invoice_history: { enabled: false },
  payment_method_update: { enabled: false, payment_method_configuration: null },
  subscription_cancel: {
    cancellation_reason: {
      enabled: false,
      feedback_options: null,
      options: ['too_expensive', 'missing_features', 'switched_service', 'unused', 'other'],
    },
    enabled: false,
    mode: 'at_period_end',
    proration_behavior: 'none',
  },
  subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
  subscription_update: {
    billing_cycle_anchor: 'unchanged',
    default_allowed_updates: [],
    enabled: false,
    products: [],
    proration_behavior: 'none',
    schedule_at_period_end: { conditions: [] },
    trial_update_behavior: 'end_trial',
  },
};

/** Creates a configuration. The first one becomes the default. */
export function createConfiguration(core: Core, params: ConfigurationParams): PortalConfiguration {
  const now = core.now();
  const configuration: PortalConfiguration = {
    id: newId('bpc'),
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: {
      headline: params.business_profile?.headline || null,
      privacy_policy_url: null,
      terms_of_service_url: null,
    },
    created: now,
    default_return_url: params.default_return_url || null,
    features: mergeFeatures(core, nothingAllowed, params.features ?? {}),
    is_default: core.store.list('billing_portal.configuration').length === 0,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: mergeMetadata({}, params.metadata),
    name: null,
    updated: now,
  };
  return core.create(configuration, 'billing_portal.configuration.created');
}

/** Updates the given parts of a configuration. */
export function updateConfiguration(
  core: Core,
  id: string,
  params: ConfigurationParams,
): PortalConfiguration {
  const configuration = core.getOrThrow('billing_portal.configuration', id);
  const text = (value: string | undefined, before: string | null) =>
    value === undefined ? before : value || null;
  const profile = configuration.business_profile;
  return core.change(
    configuration,
    {
      active: params.active ?? configuration.active,
      business_profile: {
        ...profile,
        headline: text(params.business_profile?.headline, profile.headline),
      },
      default_return_url: text(params.default_return_url, configuration.default_return_url),
      features: mergeFeatures(core, configuration.features, params.features ?? {}),
      metadata: mergeMetadata(configuration.metadata, params.metadata),
      updated: core.now(),
    },
    'billing_portal.configuration.updated',
  );
}

function mergeFeatures(core: Core, before: Features, params: FeatureParams): Features {
  const given = <T extends object>(old: T, fields: object | undefined): T => {
    const entries = Object.entries(fields ?? {}).filter(([, value]) => value !== undefined);
    return { ...old, ...Object.fromEntries(entries) };
  };
  const { cancellation_reason: reason, ...cancel } = params.subscription_cancel ?? {};
  const { products, schedule_at_period_end: schedule, ...update } = params.subscription_update ?? {};
  const merged: Features = {
    customer_update: given(before.customer_update, params.customer_update),
    invoice_history: given(before.invoice_history, params.invoice_history),
    payment_method_update: given(before.payment_method_update, params.payment_method_update),
    subscription_cancel: {
      ...given(before.subscription_cancel, cancel),
      cancellation_reason: given(before.subscription_cancel.cancellation_reason, reason),
    },
    subscription_pause: before.subscription_pause,
    subscription_update: {
      ...given(before.subscription_update, update),
      products:
        products === undefined
          ? (before.subscription_update.products ?? [])
          : products.map((each) => ({
              ...each,
              adjustable_quantity: { enabled: false, maximum: null, minimum: 1 },
            })),
      schedule_at_period_end:
        schedule === undefined
          ? before.subscription_update.schedule_at_period_end
          : { conditions: schedule.conditions ?? [] },
    },
  };
  checkProducts(core, merged.subscription_update);
  return merged;
}

function checkProducts(core: Core, update: Features['subscription_update']): void {
  const at = 'features[subscription_update][products]';
  for (const [index, { product, prices }] of (update.products ?? []).entries()) {
    core.getOrThrow('product', product, `${at}[${index}][product]`);
    for (const id of prices) {
      const price = core.getOrThrow('price', id, `${at}[${index}][prices]`);
      if (price.product !== product) {
        throw invalidRequest(`The price ${id} is not of the product ${product}.`, `${at}[${index}][prices]`);
      }
    }
  }
  if (update.enabled && update.default_allowed_updates.length === 0) {
    throw invalidRequest(
      'An enabled subscription_update needs default_allowed_updates.',
      'features[subscription_update][default_allowed_updates]',
    );
  }
}

/** The configuration for a session: the named one, or the default. @throws StripeApiError 400 when there is none */
export function configurationFor(core: Core, id: string | undefined): PortalConfiguration {
  if (id !== undefined) return core.getOrThrow('billing_portal.configuration', id, 'configuration');
  const found = core.store
    .list('billing_portal.configuration')
    .find((each) => each.is_default && each.active);
  if (found === undefined) {
    throw invalidRequest(
      'No configuration provided and no default configuration has been created. Create one first.',
      'configuration',
    );
  }
  return found;
}
