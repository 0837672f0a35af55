import type { ApiKeyView } from '#contract';
import type { ApiKeyRow } from '#shared/data/accounts/api-keys.ts';

/** An API key as its seller sees it. */
export function presentApiKey(row: ApiKeyRow): ApiKeyView {
  return {
    id: row._id,
    name: row.name,
    mode: row.test ? 'test' : 'live',
    hint: row.hint,
    scopes: row.scopes,
    networks: row.networks,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  };
}
