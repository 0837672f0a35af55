/** What sellers do during a run: each action as the web app does it, with its retries. */
import { setTimeout as wait } from 'node:timers/promises';
import { type GenerationSet, type GenerationView, hasEnded, paths, type RemovedGeneration } from '#contract';
import type { Random } from '#tests/support/random.ts';
import type { Submission } from '../invariants.ts';
import { batch, steerBatch } from './batch-actions.ts';
import type { Reply } from './client.ts';
import { buyPack, changePlan, refund, renew } from './plan-actions.ts';
import { type Action, click, formTries, outcome, photo, untilAnswered } from './requests.ts';
import type { ChaosSeller } from './seller.ts';

/** One or several images. */
const submit: Action = async (_stores, seller, random) => describe(await submitImages(seller, random));

async function submitImages(seller: ChaosSeller, random: Random): Promise<Submission> {
  const images = random.chance(0.3) ? random.between(2, 3) : 1;
  const submission = beginSubmission(seller, random, images);
  const send = () => {
    const form = new FormData();
    form.set('prompt', 'On a wooden table');
    if (images > 1) form.set('numImages', String(images));
    form.append('images', new Blob([new Uint8Array(photo)], { type: 'image/png' }), 'photo.png');
    const headers = { 'idempotency-key': submission.key };
    return seller.client.request<GenerationSet>(paths.generations, { method: 'POST', headers, body: form });
  };
  // A double click, or a window that was opened again, sends the same request at the same time.
  const senders = random.chance(0.15) ? 2 : 1;
  const replies = await Promise.all(Array.from({ length: senders }, () => untilAnswered(send, formTries)));
  for (const reply of replies) endSubmission(seller, submission, reply);
  return submission;
}

function beginSubmission(seller: ChaosSeller, random: Random, images: number): Submission {
  const key = `chaos-${random.below(2 ** 31)}-${seller.submissions.length}`;
  const submission: Submission = { key, images, accepted: [], refused: undefined };
  seller.submissions.push(submission);
  return submission;
}

/** @param reply undefined if there was none */
function endSubmission(
  { client }: ChaosSeller,
  submission: Submission,
  reply: Reply<GenerationSet> | undefined,
): void {
  if (reply?.status === 202) {
    const { generations } = reply.body;
    for (const view of generations) client.view.receive(view);
    submission.accepted.push(generations.map(({ id }) => id));
  } else submission.refused = reply?.code ?? 'no answer';
}

const describe = ({ images, key, accepted, refused }: Submission) =>
  `submit ${images} under ${key}: ${accepted.at(0)?.join(' ') ?? refused}`;

/** A generation that the window shows, or undefined. */
function pickShown(
  { client }: ChaosSeller,
  random: Random,
  matches: (view: GenerationView) => boolean,
): GenerationView | undefined {
  const shown = [...client.view.generations.values()].filter(matches);
  return shown.length > 0 ? random.pick(shown) : undefined;
}

/** Cancels what waits or runs; sometimes what has ended, from a second window that has not heard of it. */
const cancel: Action = async (_stores, seller, random) => {
  const isOutdated = random.chance(0.2);
  const view = pickShown(seller, random, ({ state }) => isOutdated || !hasEnded(state));
  return view ? cancelOne(seller, view.id, random) : 'cancel: nothing';
};

/** Sometimes agrees that it uses the image. */
async function cancelOne(seller: ChaosSeller, id: string, random: Random): Promise<string> {
  const useImage = random.chance(0.5);
  const reply = await click<GenerationView>(seller, 'POST', paths.cancelGeneration(id), { useImage });
  if (reply?.status === 200) seller.client.view.receive(reply.body);
  return `cancel ${id}${useImage ? ', agreed' : ''}: ${outcome(reply)}`;
}

/** Most images are finished after about a quarter of a second, in ms. */
const cancelWithinMs = 400;

/** Submits, and cancels at about the time at which the image is finished. */
const submitAndCancel: Action = async (_stores, seller, random) => {
  const submission = await submitImages(seller, random);
  const ids = submission.accepted.at(0);
  if (!ids) return describe(submission);
  await wait(random.below(cancelWithinMs));
  return `${describe(submission)}, then ${await cancelOne(seller, random.pick(ids), random)}`;
};

const remove: Action = async (_stores, seller, random) => {
  const view = pickShown(seller, random, ({ state }) => hasEnded(state));
  if (!view) return 'delete: nothing';
  const reply = await click<RemovedGeneration>(seller, 'DELETE', paths.generation(view.id));
  if (reply?.status === 200) seller.client.view.remove(reply.body);
  if (reply?.status !== 200 || random.chance(0.6)) return `delete ${view.id}: ${outcome(reply)}`;
  const restored = await click<GenerationView>(seller, 'POST', paths.restoreGeneration(view.id));
  if (restored?.status === 200) seller.client.view.receive(restored.body);
  return `delete and restore ${view.id}: ${outcome(restored)}`;
};

/** Makes a new version of a finished image. */
const change: Action = async (_stores, seller, random) => {
  const view = pickShown(seller, random, ({ state }) => state === 'succeeded');
  if (!view) return 'change: nothing';
  const submission = beginSubmission(seller, random, 1);
  const reply = await untilAnswered(
    () =>
      seller.client.request<GenerationSet>(paths.changes(view.id), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': submission.key },
        body: JSON.stringify({ instruction: 'Make the table white' }),
      }),
    formTries,
  );
  endSubmission(seller, submission, reply);
  return `change ${view.id}: ${submission.accepted.at(0)?.join(' ') ?? submission.refused}`;
};

/** The actions, as often as they are done. */
const weighted: readonly (readonly [weight: number, action: Action])[] = [
  [10, submit],
  [3, submitAndCancel],
  [3, cancel],
  [2, remove],
  [2, change],
  [2, batch],
  [2, steerBatch],
  [1, changePlan],
  [1, buyPack],
  [1, renew],
  [1, refund],
];
const drawn = weighted.flatMap(([weight, action]) => Array.from({ length: weight }, () => action));

/** Draws an action. The first one of a seller submits, because the others need something to act on. */
export const drawAction = (random: Random, isFirst: boolean): Action =>
  isFirst ? submit : random.pick(drawn);
