import { dollarsText, failureMessage, hasEnded, type LifeEvent } from '#contract';
import type { CreditEntryRow } from '#shared/data/billing/credit-entries.ts';
import { type CallCostRow, callCostId } from '#shared/data/costs/provider-costs.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { AttemptRow } from '#shared/data/operator/attempt-records.ts';
import type { Hold } from '#shared/data/profiles/schema.ts';

/** What the life of a generation is made of. */
export interface LifeParts {
  row: GenerationRow;
  /** Its hold, while it has one. */
  hold: Hold | null;
  /** By their fence. */
  attempts: readonly AttemptRow[];
  /** What its calls cost. */
  costs: readonly CallCostRow[];
  entries: readonly CreditEntryRow[];
  /** When the seller was notified of it; null if not, or not any more. */
  notifiedAt: Date | null;
  /** Its mail, while the outbox has it. */
  mail: { created_at: Date; ended_at: Date | null; failure: string | null } | null;
}

interface Draft {
  at: Date | null;
  title: string;
  details?: string;
  problem?: boolean;
}

/**
 * Everything that happened to a generation, in order. Only what is stored: a step whose time is not stored has none, and
 * stands where it belongs.
 */
export function lifeOf(parts: LifeParts): LifeEvent[] {
  return [
    ...beginning(parts),
    ...parts.attempts.flatMap((attempt) => attemptEvents(attempt, parts.costs)),
    ...costsOfUnknownAttempts(parts).map(costEvent),
    ...ending(parts),
    ...afterwards(parts),
  ].map(({ at, title, details = '', problem = false }) => ({
    at: at?.toISOString() ?? null,
    title,
    details,
    problem,
  }));
}

const images = (count: number) => (count === 1 ? '1 image' : `${count} images`);

function beginning({ row, hold }: LifeParts): Draft[] {
  const { created_at, queued_at, state, count, remake_of, batch } = row;
  const from = [
    ...(batch ? [`batch ${batch.id}, row ${batch.row + 1}, take ${batch.take + 1}`] : []),
    ...(remake_of === undefined ? [] : [`makes ${remake_of} again at no charge`]),
  ].join('; ');
  const received: Draft = { at: created_at, title: 'Request received', details: from };
  if (state === 'receiving') return [received];
  const balance = hold ? `on ${balances[hold.balance]}` : '';
  return [
    received,
    { at: hold?.at ?? null, title: `Hold placed: ${images(count)}`, details: balance },
    { at: queued_at, title: 'Accepted, and added to the queue' },
  ];
}

const balances: Readonly<Record<Hold['balance'], string>> = {
  metered: "the plan's images",
  unlimited: 'the plan, which has no monthly number',
  free: 'free images',
  pack: 'images of packs',
  remake: 'no balance: made again at no charge',
};

function attemptEvents(attempt: AttemptRow, costs: readonly CallCostRow[]): Draft[] {
  const { fence, worker, claimed_at, call_at, ended_at, outcome, detail } = attempt;
  const events: Draft[] = [
    { at: claimed_at, title: `Claimed with fence ${fence}`, details: `by the worker ${worker}` },
  ];
  if (call_at) events.push({ at: call_at, title: 'Call to the provider began' });
  if (attempt.call_result !== null) events.push(callEvent(attempt));
  const cost = costs.find(({ _id }) => _id === callCostId(attempt.generation, fence));
  if (cost) events.push(costEvent(cost));
  if (outcome === 'handed-back')
    events.push({ at: ended_at, title: 'Handed back, to be tried again', details: detail });
  if (outcome === 'superseded')
    events.push({
      at: ended_at,
      title: 'Attempt stopped',
      details: 'it was cancelled, or another attempt has the generation',
    });
  if (outcome === null && call_at === null && ended_at === null)
    events.push({ at: null, title: 'Nothing more is known of this attempt' });
  return events;
}

function callEvent({ call_at, call_ms, call_result, call_status, call_code, request_id }: AttemptRow): Draft {
  const at = call_at && call_ms !== null ? new Date(call_at.getTime() + call_ms) : null;
  const ok = call_result === 'ok';
  const facts = [
    call_status === null ? null : `status ${call_status}`,
    call_code === null ? null : `code ${call_code}`,
    request_id === null ? null : `request ${request_id}`,
    call_ms === null ? null : `${(call_ms / 1_000).toFixed(1)} s`,
  ].filter((fact) => fact !== null);
  const title = ok ? 'The provider answered with an image' : `The call failed: ${call_result}`;
  return { at, title, details: facts.join(', '), problem: !ok };
}

/** What calls cost whose attempts are not known, or not yet. */
const costsOfUnknownAttempts = ({ attempts, costs }: LifeParts) =>
  costs.filter(({ _id }) => attempts.every(({ generation, fence }) => callCostId(generation, fence) !== _id));

function costEvent({ state, amount, tokens }: CallCostRow): Draft {
  if (amount === undefined) {
    return { at: null, title: 'What the call cost is unknown', details: 'no price of the model is known' };
  }
  const cost = dollarsText(amount);
  if (state === 'estimated' || !tokens) {
    return {
      at: null,
      title: `The call cost at most ${cost}`,
      details: 'the provider did not report its usage',
    };
  }
  const { textInput, cachedTextInput, imageInput, cachedImageInput, imageOutput, textOutput } = tokens;
  const details = [
    `${textInput + cachedTextInput} tokens of text and ${imageInput + cachedImageInput} of pictures sent`,
    `${imageOutput + textOutput} received`,
  ].join(', ');
  return { at: null, title: `The call cost ${cost}`, details };
}

function ending({ row }: LifeParts): Draft[] {
  const { state, ended_at, image, failure, charged, calls } = row;
  const lost: Draft[] =
    calls.lost > 0
      ? [{ at: null, title: `Calls whose worker died: ${calls.lost}`, details: '', problem: true }]
      : [];
  if (!hasEnded(state)) return lost;
  if (state === 'succeeded') {
    const details = image ? `${image.key}, ${image.width} × ${image.height}, ${image.bytes} bytes` : '';
    return [...lost, { at: ended_at, title: 'Image stored, and the generation succeeded', details }];
  }
  if (state === 'cancelled') {
    return [...lost, { at: ended_at, title: charged ? 'Cancelled after a preview' : 'Cancelled' }];
  }
  return [...lost, failureEvent(ended_at, failure)];
}

function failureEvent(at: Date | null, failure: GenerationRow['failure']): Draft {
  if (!failure) return { at, title: 'Failed', problem: true };
  const { code, detail, provider_status, provider_code, provider_request_id, moderation } = failure;
  const facts = [
    `the seller reads “${failureMessage(failure)}”`,
    detail,
    provider_status === null ? '' : `status ${provider_status}`,
    provider_code === null ? '' : `code ${provider_code}`,
    provider_request_id === null ? '' : `request ${provider_request_id}`,
    moderation ? `moderation of the ${moderation.stage ?? 'input or output'}` : '',
    moderation && moderation.categories.length > 0 ? `categories ${moderation.categories.join(', ')}` : '',
  ].filter((fact) => fact !== '');
  return { at, title: `Failed: ${code}`, details: facts.join('; '), problem: true };
}

const entryTitles: Partial<Record<CreditEntryRow['kind'], string>> = {
  settle: 'Settled: the image is used',
  release: 'Released: no image is used',
  remake: 'Settled: made again at no charge',
  forfeit: 'Expired: its period was over',
};

function afterwards({ row, entries, notifiedAt, mail }: LifeParts): Draft[] {
  const events: Draft[] = entries.map(({ kind, count, at }) => ({
    at,
    title: entryTitles[kind] ?? `Ledger: ${kind}`,
    details: `ledger entry of ${images(count)}`,
  }));
  if (notifiedAt) events.push({ at: notifiedAt, title: 'Announced: the seller was notified' });
  if (mail) events.push(mailEvent(mail));
  if (row.settlement_due) events.push({ at: null, title: 'Not settled yet', problem: true });
  const { edits, deletion, remade_by: again } = row;
  if (again !== undefined) events.push({ at: null, title: 'Made again at no charge', details: again });
  if (edits) events.push({ at: null, title: 'Edited by the seller', details: `version ${edits.version}` });
  if (deletion)
    events.push({ at: deletion.at, title: 'Moved to the trash', details: deletions[deletion.stage] });
  return events.sort((a, b) => (a.at?.getTime() ?? Infinity) - (b.at?.getTime() ?? Infinity));
}

const deletions: Readonly<Record<NonNullable<GenerationRow['deletion']>['stage'], string>> = {
  trashed: 'the seller can restore it',
  final: 'deleted for ever since; its files are removed next',
  purging: 'deleted for ever since; its files are being removed',
  purged: 'deleted for ever since; its files are removed',
};

function mailEvent({ created_at, ended_at, failure }: NonNullable<LifeParts['mail']>): Draft {
  if (failure !== null)
    return { at: created_at, title: 'Mail not delivered', details: failure, problem: true };
  return { at: ended_at ?? created_at, title: ended_at ? 'Mail sent' : 'Mail waits in the outbox' };
}
