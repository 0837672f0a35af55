import { expect } from 'vitest';
import { type CreditEntryView, type Me, paths, type SessionReply } from '#contract';
import { audit } from '#scripts/audit/audit.ts';
import { openStorage } from '#shared/platform/open-storage.ts';
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
}) => {
  const { config, db, startServer, startWorker } = await newDatabase();
  const { url } = await startServer();
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

  await startWorker();
  const states = async () => {
    const { body } = await seller.request<{ generations: { state: string }[] }>(paths.generations);
    return body.generations.map(({ state }) => state);
  };
  await expect
    .poll(states, { timeout: 20_000 })
    .toEqual(['succeeded', 'succeeded', 'cancelled', 'succeeded']);
  await expect
    .poll(async () => audit(db, await openStorage(config.storage)), { timeout: 10_000 })
    .toEqual([]);
  expect(await seller.request(paths.me)).toMatchObject({
    body: { subscription: { status: 'active', generationsLeft: 99 } },
  });
  const entries = kindsAndCounts((await seller.request<Ledger>(paths.creditEntries)).body);
  // The payment forfeited what was left of the old images, except the one on hold.
  expect(entries.toSorted()).toEqual(
    [...oldEntries, ['forfeit', 98], ['grant', 100], ['settle', 1], ['settle', 1]].toSorted(),
  );
});

test('a worker that starts first on data of the first release makes the queued image', async ({
  newDatabase,
}) => {
  const { config, db, startServer, startWorker } = await newDatabase();
  await startWorker();
  expect(await executed(db)).toEqual(names);
  const { url } = await startServer();
  const seller = await signIn(url, firstRelease.freelancer);
  await expect
    .poll(() => seller.request(`${paths.generations}/${firstRelease.queued}`), { timeout: 20_000 })
    .toMatchObject({ body: { state: 'succeeded' } });
  await expect
    .poll(async () => audit(db, await openStorage(config.storage)), { timeout: 10_000 })
    .toEqual([]);
  expect((await seller.request<Me>(paths.me)).body.subscription).toMatchObject({ generationsLeft: 98 });
});
