import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import { type AskedTest, askedTest } from '#contract/test-scenes.ts';
import { renewAttempt } from '#shared/data/generations/attempts.ts';
import { findGeneration } from '#shared/data/generations/find.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { cancel } from '#shared/generations/cancel.ts';
import { TryLater } from '#worker/flow/obstacle.ts';
import { draw } from '#worker/providers/echo/draw.ts';
import { type Provider, ProviderError, type ProviderErrorKind } from '../provider.ts';
import { blurred, withWatermark } from './pictures.ts';

/** The parts of the time of an image that pass before it is accepted, and before its last preview. */
const acceptedPart = 0.1;
const previewsPart = 0.7;

/** How long a lost worker keeps its generation, in ms; a real one keeps it until its lease ends. */
const lostMs = 500;

/** How often it is looked whether a preview is stored, in ms, and how often at most. */
const previewPollMs = 50;
const previewPolls = 100;

type SandboxContext = Parameters<typeof cancel>[0];

/**
 * The provider of the sandbox: it asks nobody. An image is the first photo in front of one colour, with a watermark. What
 * happens instead, a scene says (shared/contract/test-scenes.ts).
 * @param context of the sandbox
 * @param previews of one image
 */
export function startSandboxProvider(context: SandboxContext, previews: number): Provider {
  const closing = new AbortController();
  // One at a time: images of sellers need the processor.
  const drawing = pLimit(1);
  return {
    async ready() {},
    async edit({ generation, signal, onAccepted, onPreview, ...input }) {
      const began = performance.now();
      const stopped = AbortSignal.any([signal, closing.signal]);
      const test = testOf(generation);
      /** Waits until a part of the time of the image is over. */
      const untilPart = async (part: number) => {
        const leftMs = test.seconds * 1_000 * part - (performance.now() - began);
        await wait(Math.max(0, leftMs), undefined, { signal: stopped }).catch(() => {
          throw new ProviderError('aborted', 'the call was stopped');
        });
      };
      await untilPart(acceptedPart);
      await beforeAnswer(context, generation, test);
      onAccepted(null);
      const image = await drawing(async () => withWatermark(await draw(input)));
      for (let index = 0; index < previews; index += 1) {
        await untilPart(acceptedPart + ((previewsPart - acceptedPart) * (index + 1)) / previews);
        onPreview(await drawing(() => blurred(image, index, previews)), index);
      }
      await afterPreviews(context, generation, test, stopped);
      await untilPart(1);
      const milliseconds = Math.round(performance.now() - began);
      return { image, requestId: null, milliseconds, usage: null };
    },
    modelProblem: async () => null,
    async close() {
      closing.abort();
    },
  };
}

/** What the scene of a generation asks for: of a change its instruction. One that is made again is made as usual. */
export function testOf({ prompt, change, remake_of: of }: GenerationRow): AskedTest {
  const asked = askedTest(change ? change.instruction : prompt);
  return of === undefined ? asked : { ...asked, name: null };
}

/** The calls that fail before the provider answers, by the words of their scene. */
const failing: Readonly<Record<string, [kind: ProviderErrorKind, status?: number]>> = {
  'test: unreadable photo': ['photos', 400],
  'test: provider error': ['server', 500],
  'test: no image': ['invalid_response', 200],
  'test: timeout': ['timeout'],
  'test: provider away': ['busy', 503],
};

/** Those that are not begun, with the failure of their image: the flow of the sandbox knows it by the code. */
const notBegun: Readonly<Record<string, string>> = {
  'test: plan ended': 'NOT_COVERED',
  'test: too many stopped': 'UNPAID_CALLS',
};

const refusedBySafety = (stage: 'input' | 'output') =>
  new ProviderError('content', 'the scene of this test is refused', {
    status: 400,
    code: 'moderation_blocked',
    moderation: { stage, categories: ['violence'] },
  });

/** @throws what the test asks for: ProviderError, or TryLater of a worker that is lost */
async function beforeAnswer(
  context: SandboxContext,
  generation: GenerationRow,
  { name }: AskedTest,
): Promise<void> {
  if (name === null) return;
  const { _id: id, profile, fence, calls, set } = generation;
  const [kind, status] = failing[name] ?? [];
  if (kind) throw new ProviderError(kind, 'as the scene of this test asks', { status });
  const code = notBegun[name];
  if (code !== undefined) throw new ProviderError('busy', 'as the scene of this test asks', { code });
  if (name === 'test: blocked by safety') throw refusedBySafety('input');
  if (name === 'test: first image fails' && set.index === 0) {
    throw new ProviderError('rejected', 'as the scene of this test asks', { status: 400 });
  }
  if (name === 'test: provider busy' && !calls.refused) {
    throw new ProviderError('busy', 'as the scene of this test asks', { status: 429 });
  }
  if (name === 'test: workers lost' || (name === 'test: worker lost' && calls.lost === 0)) {
    await renewAttempt(context.db, { generationId: id, fence }, lostMs);
    throw new TryLater('the worker of this test is lost', lostMs * 2);
  }
  if (name === 'test: cancelled') {
    await cancel(context, profile, id, false);
    throw new ProviderError('aborted', 'it was cancelled');
  }
}

/** The same after the previews were sent. @param stopped aborted when nobody waits for the image */
async function afterPreviews(
  context: SandboxContext,
  { _id: id, profile }: GenerationRow,
  { name }: AskedTest,
  stopped: AbortSignal,
): Promise<void> {
  if (name === 'test: image blocked by safety') throw refusedBySafety('output');
  if (name !== 'test: cancelled after a preview') return;
  for (let polls = 0; polls < previewPolls && !stopped.aborted; polls += 1) {
    const row = await findGeneration(context.db, profile, id);
    if (row?.preview_key) break;
    await wait(previewPollMs);
  }
  await cancel(context, profile, id, true);
  throw new ProviderError('aborted', 'it was cancelled');
}
