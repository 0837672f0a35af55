import { expect } from 'vitest';
import { type CreditEntryView, generationFailures, type Me, paths, type SessionReply } from '#contract';
import { findVisible } from '#shared/data/generations/find.ts';
import { connectionOf, modelsOf } from '#shared/data/models.ts';
import { firstRelease } from '#tests/support/first-release.ts';
import { payFor } from '#tests/support/paid.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { executed, names, test } from './harness.ts';

/** Signs in over the API. @returns the seller's id, and a function that sends requests as the seller */
async function signIn(url: string, email: string) {
  const reply = await fetch(url + paths.session, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: firstRelease.password }),
  });
  expect(reply.status).toBe(200);
  const { token, user } = (await reply.json()) as SessionReply;
  return {
    id: user.id,
    async request<Body>(path: string, init: RequestInit = {}) {
      const answer = await fetch(url + path, { ...init, headers: { authorization: `Bearer ${token}` } });
      return { status: answer.status, body: (await answer.json()) as Body };
    },
  };
}

interface Ledger {
  entries: CreditEntryView[];
}

const kindsAndCounts = ({ entries }: Ledger) => entries.map(({ kind, count }) => [kind, count]);

test('on data of the first release a seller signs in, sees the old images and makes a new one', async ({
  newDatabase,
  startServer,
  startWorker,
}) => {
  const old = await newDatabase();
  const { db } = old;
  const { url } = await startServer(old);
  expect(await executed(db)).toEqual(names);

  const seller = await signIn(url, firstRelease.freelancer);
  expect(await seller.request(paths.generations)).toMatchObject({
    status: 200,
    body: {
      generations: [
        { id: firstRelease.queued, state: 'queued', position: 1 },
        { prompt: 'cancelled', state: 'cancelled', imageUsed: false },
        { prompt: 'Studio Photography Setup: warm', state: 'succeeded', imageUsed: true },
      ],
    },
  });
  // One image is used, and one is on hold for the generation in the queue. The first release had no billing: its plans
  // were never paid for.
  expect((await seller.request<Me>(paths.me)).body.subscription).toMatchObject({
    status: 'inactive',
    generationsLeft: 98,
  });
  const oldEntries = [
    ['release', 1],
    ['settle', 1],
    ['grant', 100],
  ];
  expect(kindsAndCounts((await seller.request<Ledger>(paths.creditEntries)).body)).toEqual(oldEntries);
  const studio = await signIn(url, firstRelease.studio);
  expect(kindsAndCounts((await studio.request<Ledger>(paths.creditEntries)).body)).toEqual([['settle', 1]]);

  await payFor(db, seller.id, 'freelance');
  const form = new FormData();
  form.set('prompt', 'On a wooden table');
  form.set('images', new Blob([new Uint8Array(await samplePhoto())], { type: 'image/png' }), 'photo.png');
  expect((await seller.request(paths.generations, { method: 'POST', body: form })).status).toBe(202);

  await startWorker(old);
  const states = async () => {
    const { body } = await seller.request<{ generations: { state: string }[] }>(paths.generations);
    return body.generations.map(({ state }) => state);
  };
  await expect.poll(states).toEqual(['succeeded', 'succeeded', 'cancelled', 'succeeded']);
  await expect.poll(() => old.audit()).toEqual([]);
  expect(await seller.request(paths.me)).toMatchObject({
    body: { subscription: { status: 'active', generationsLeft: 99 } },
  });
  const entries = kindsAndCounts((await seller.request<Ledger>(paths.creditEntries)).body);
  // The payment forfeited what was left of the old images, except the one on hold.
  expect(entries.toSorted()).toEqual(
    [...oldEntries, ['forfeit', 98], ['grant', 100], ['settle', 1], ['settle', 1]].toSorted(),
  );
});

test('a worker that starts first on data of the first release ends the queued image, whose plan nobody pays for', async ({
  newDatabase,
  startServer,
  startWorker,
}) => {
  const old = await newDatabase();
  const { db } = old;
  await startWorker(old);
  expect(await executed(db)).toEqual(names);
  const { url } = await startServer(old);
  const seller = await signIn(url, firstRelease.freelancer);
  await expect
    .poll(() => seller.request(`${paths.generations}/${firstRelease.queued}`))
    .toMatchObject({ body: { state: 'failed', failure: { message: generationFailures.NOT_COVERED } } });
  await expect.poll(() => old.audit()).toEqual([]);
  expect((await seller.request<Me>(paths.me)).body.subscription).toMatchObject({ generationsLeft: 99 });
});

test('a request of the first release that was interrupted is a generation in `receiving`, which no seller sees', async ({
  newDatabase,
  startServer,
  startWorker,
}) => {
  const old = await newDatabase();
  const { db } = old;
  const generations = connectionOf(db).db!.collection<{ _id: string; [field: string]: unknown }>(
    'generations',
  );
  const queued = (await generations.findOne({ _id: firstRelease.queued }))!;
  const interrupted = '6b02d81d02648ec0deabc081';
  await generations.insertOne({
    ...queued,
    _id: interrupted,
    idempotency_key: interrupted,
    admitted_at: null,
    photos: [],
  });

  await startServer(old);
  expect(await modelsOf(db).generations.findById(interrupted).lean()).toMatchObject({
    state: 'receiving',
    queued_at: null,
  });
  expect(await findVisible(db, interrupted)).toBeNull();
  expect(await findVisible(db, firstRelease.queued)).toMatchObject({
    state: 'queued',
    queued_at: queued.admitted_at,
  });
  expect(await generations.countDocuments({ admitted_at: { $exists: true } })).toBe(0);

  await startWorker(old);
  await expect.poll(() => generations.countDocuments({ _id: interrupted })).toBe(0);
  expect((await modelsOf(db).generations.findById(firstRelease.queued).lean())?.state).not.toBe('receiving');
});
