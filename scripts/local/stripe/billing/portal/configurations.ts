/** Portal configurations: what customers can do in the portal. */
import { z } from 'zod';
import { flag, list, nonEmptyText, prorationBehavior } from '../../api/parameters.ts';
import { type Core, newId } from '../../core/core.ts';
import { invalidRequest } from '../../errors.ts';
import type { PortalConfiguration, PortalFeatures } from '../../objects.ts';
import { mergeMetadata } from '../customers.ts';

/** The features to set; omitted ones keep their value. */
export const featuresSchema = z.strictObject({
  /** The portal has no page for a name, an address or a tax id, which is all that may be allowed here. */
  customer_update: z
    .strictObject({ enabled: flag, allowed_updates: list(z.enum(['name', 'address', 'tax_id'])).optional() })
    .optional(),
  invoice_history: z.strictObject({ enabled: flag }).optional(),
  payment_method_update: z.strictObject({ enabled: flag }).optional(),
  subscription_cancel: z
    .strictObject({ enabled: flag, mode: z.literal('at_period_end').optional() })
    .optional(),
  subscription_update: z
    .strictObject({
      enabled: flag,
      default_allowed_updates: list(z.literal('price')).optional(),
      products: list(z.strictObject({ product: nonEmptyText, prices: z.array(nonEmptyText) })).optional(),
      proration_behavior: prorationBehavior.optional(),
      schedule_at_period_end: z
        .strictObject({
          conditions: list(z.strictObject({ type: z.literal('decreasing_item_amount') })).optional(),
        })
        .optional(),
    })
    .optional(),
});

/** Parameters of a configuration. */
interface ConfigurationParams {
  features?: z.output<typeof featuresSchema> | undefined;
  business_profile?: Partial<Record<keyof PortalConfiguration['business_profile'], string>> | undefined;
  default_return_url?: string | undefined;
  metadata?: Record<string, string> | '' | undefined;
  active?: boolean | undefined;
}

const nothingAllowed: PortalFeatures = {
  customer_update: { allowed_updates: [], enabled: false },
  invoice_history: { enabled: false },
  payment_method_update: { enabled: false },
  subscription_cancel: { enabled: false, mode: 'at_period_end' },
  subscription_update: {
    default_allowed_updates: [],
    enabled: false,
    products: [],
    proration_behavior: 'none',
    schedule_at_period_end: { conditions: [] },
  },
};

const noProfile: PortalConfiguration['business_profile'] = {
  headline: null,
  privacy_policy_url: null,
  terms_of_service_url: null,
};

function profileOf(
  before: PortalConfiguration['business_profile'],
  { business_profile: given = {} }: ConfigurationParams,
): PortalConfiguration['business_profile'] {
  const { headline = before.headline } = given;
  return {
    headline: headline || null,
    privacy_policy_url: given.privacy_policy_url ?? before.privacy_policy_url,
    terms_of_service_url: given.terms_of_service_url ?? before.terms_of_service_url,
  };
}

/** Creates a configuration. The first one becomes the default. */
export function createConfiguration(core: Core, params: ConfigurationParams): PortalConfiguration {
  const configuration: PortalConfiguration = {
    id: newId('bpc'),
    object: 'billing_portal.configuration',
    active: true,
    business_profile: profileOf(noProfile, params),
    created: core.now(),
    default_return_url: params.default_return_url || null,
    features: mergeFeatures(core, nothingAllowed, params.features),
    is_default: core.store.list('billing_portal.configuration').length === 0,
    metadata: mergeMetadata({}, params.metadata),
    updated: core.now(),
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
  return core.change(
    configuration,
    {
      active: params.active ?? configuration.active,
      business_profile: profileOf(configuration.business_profile, params),
      default_return_url: (params.default_return_url ?? configuration.default_return_url) || null,
      features: mergeFeatures(core, configuration.features, params.features),
      metadata: mergeMetadata(configuration.metadata, params.metadata),
      updated: core.now(),
    },
    'billing_portal.configuration.updated',
  );
}

function mergeFeatures(
  core: Core,
  before: PortalFeatures,
  params: ConfigurationParams['features'] = {},
): PortalFeatures {
  const features = merged(before, params);
  checkProducts(core, features.subscription_update);
  return features;
}

/** The object with the given changes, at every depth; lists are replaced as a whole. */
function merged<T extends object>(before: T, changes: object): T {
  const result = { ...before } as Record<string, unknown>;
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) continue;
    const isObject = typeof value === 'object' && !Array.isArray(value);
    result[name] = isObject ? merged(result[name] as object, value) : value;
  }
  return result as T;
}

function checkProducts(core: Core, update: PortalFeatures['subscription_update']): void {
  const at = 'features[subscription_update][products]';
  for (const [index, { product, prices }] of update.products.entries()) {
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
