import {
  hasEnded,
  type LifeEvent,
  type OperatorGeneration,
  type OperatorGenerationAction,
  type OperatorGenerationView,
} from '#contract';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { FoundGeneration } from '#shared/data/generations/search.ts';
import { shownFailureCode } from '#shared/views/generation.ts';

/** A generation in the operator's list. @param sellerEmail empty when the account is gone */
export function presentFoundGeneration(row: FoundGeneration, sellerEmail: string): OperatorGeneration {
  return {
    id: row._id,
    sellerId: row.profile,
    sellerEmail,
    state: row.state,
    failure: row.failure && shownFailureCode(row.failure.code),
    createdAt: row.created_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}

/** A generation as operators see it. @param sellerEmail empty when the account is gone */
export function presentGenerationForOperator(
  row: GenerationRow,
  sellerEmail: string,
  life: LifeEvent[],
): OperatorGenerationView {
  const { width, height, background } = row.options;
  return {
    ...presentFoundGeneration(row, sellerEmail),
    prompt: row.prompt,
    productName: row.product_name,
    size: `${width} × ${height}${background === 'transparent' ? ', transparent' : ''}`,
    quality: row.quality,
    batchId: row.batch?.id ?? null,
    traceId: row.trace.id,
    revision: row.revision,
    photos: row.photos.length,
    hasImage: row.image !== null,
    life,
    actions: actionsOn(row),
  };
}

/** What an operator can do with a generation in this state. */
function actionsOn({ state, deletion }: GenerationRow): OperatorGenerationAction[] {
  if (state === 'failed') return deletion ? [] : ['retry'];
  if (state === 'receiving' || hasEnded(state)) return [];
  return state === 'running' ? ['release', 'cancel'] : ['cancel'];
}
