import type { PasskeyView } from '#contract';
import type { PasskeyRow } from '#shared/data/accounts/users.ts';

/** A passkey as its seller sees it. */
export function presentPasskey({ id, name, created_at, last_used_at }: PasskeyRow): PasskeyView {
  return {
    id,
    name,
    createdAt: created_at.toISOString(),
    lastUsedAt: last_used_at?.toISOString() ?? null,
  };
}
