/** Which kind of failure an error of the provider is: one table over all codes, and one over statuses (docs/provider.md). */
import type { ProviderErrorKind } from '../provider.ts';

/**
 * The kinds of the codes that are known. A code decides whatever the status is, and wherever the error came: as the body of
 * a reply, or in a stream, where there is no status.
 */
const codes = {
  content: [
    'moderation_blocked',
    'content_policy_violation',
    'image_content_policy_violation',
    'content_filter',
    'contentFilter',
    'invalid_prompt',
    'bio_policy',
    'misalignment_policy_violation',
  ],
  photos: [
    'invalid_image_file',
    'invalid_image',
    'invalid_image_format',
    'invalid_image_mode',
    'invalid_base64_image',
    'image_parse_error',
    'image_too_large',
    'image_too_small',
    'image_file_too_large',
    'empty_image_file',
    'unsupported_file_mimetype',
    'missing_file_mimetype',
    'unsupported_image_media_type',
  ],
  account: [
    'invalid_api_key',
    'incorrect_api_key',
    'invalid_organization',
    'mismatched_organization',
    'mismatched_project',
    'account_deactivated',
    'access_terminated',
    'ip_not_authorized',
    'unsupported_country_region_territory',
    'insufficient_quota',
    'insufficient_permissions',
    'billing_hard_limit_reached',
    'billing_not_active',
    'credit_balance_exhausted',
    'organization_spend_limit_exceeded',
    'project_spend_limit_exceeded',
    'organization_usage_limit_exceeded',
    'model_not_found',
    'model_not_available',
    'invalid_model',
    'unsupported_model',
    'invalid_input_fidelity_model',
    'unknown_url',
  ],
  busy: ['rate_limit_exceeded', 'slow_down', 'server_is_overloaded', 'engine_overloaded'],
  server: ['server_error', 'internal_error', 'internal_server_error', 'image_generation_server_error'],
  rejected: [
    'invalid_value',
    'invalid_type',
    'missing_required_parameter',
    'unknown_parameter',
    'unsupported_parameter',
    'unsupported_value',
    'string_above_max_length',
  ],
} satisfies Partial<Record<ProviderErrorKind, readonly string[]>>;

const kindOfCode: ReadonlyMap<string, ProviderErrorKind> = new Map(
  Object.entries(codes).flatMap(([kind, each]) => each.map((code) => [code, kind as ProviderErrorKind])),
);

/** The kinds of statuses, for errors without a known code. Of others, 4xx are `rejected` and 5xx `server`. */
const kindOfStatus: ReadonlyMap<number, ProviderErrorKind> = new Map([
  [401, 'account'],
  [402, 'account'],
  [403, 'account'],
  [404, 'account'],
  [405, 'account'],
  [407, 'account'],
  [408, 'busy'],
  [409, 'busy'],
  [413, 'photos'],
  [429, 'busy'],
]);

/** Types of errors in a stream that the same request would meet again. Only for errors without a known code. */
const userErrors: ReadonlySet<string> = new Set(['invalid_request_error', 'image_generation_user_error']);

/** Parameters that are the same in every request: what is wrong with one of them is wrong with the installation. */
const parametersOfAll: ReadonlySet<string> = new Set([
  'model',
  'n',
  'output_format',
  'stream',
  'partial_images',
  'input_fidelity',
  'safety_identifier',
]);

/** The parts of an error that decide its kind; OpenAI may leave out any of them. */
export interface ErrorParts {
  /** Undefined for an error in mid-stream. */
  status: number | undefined;
  code?: string | null | undefined;
  type?: string | null | undefined;
  param?: string | null | undefined;
}

/** The kind of an error of the provider. */
export function kindOf({ status, code, type, param }: ErrorParts): ProviderErrorKind {
  // With a quota that is used up, the code may be that of a rate limit, or missing.
  if (kindOfCode.get(type ?? '') === 'account') return 'account';
  const kind =
    kindOfCode.get(code ?? '') ?? (status === undefined ? kindOfStreamError(type) : kindWithStatus(status));
  return kind === 'rejected' && parametersOfAll.has(param ?? '') ? 'account' : kind;
}

function kindOfStreamError(type: string | null | undefined): ProviderErrorKind {
  const kind = kindOfCode.get(type ?? '');
  return kind ?? (userErrors.has(type ?? '') ? 'rejected' : 'server');
}

function kindWithStatus(status: number): ProviderErrorKind {
  return kindOfStatus.get(status) ?? (status >= 500 ? 'server' : 'rejected');
}
