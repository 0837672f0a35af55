/** What a seller is told of a photo before anything is made of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect } from 'vitest';
import { type CheckedPhoto, paths, photoCheckLimits } from '#contract';
import { createPhotoChecker } from '#server/photo-checks/photo-checker.ts';
import type { ProductQuestions } from '#shared/cutout/check-product.ts';
import { createLog } from '#shared/platform/log.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { limitMs } from '#tests/support/machine.ts';
import { modelPatience } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0, settings: { PHOTO_CHECKS: 'true' } });
const log = createLog({ logLevel: 'fatal' }, 'test');
const client = { sellerId: 'seller' };

const copyOf = (photo: Buffer) => sharp(photo).resize(320, 320, { fit: 'inside' }).jpeg().toBuffer();
const mug = await copyOf(readFileSync(join(rootFolder, 'scripts/local/photos/mug-1.jpg')));
const wall = await sharp({ create: { width: 320, height: 320, channels: 3, background: '#b8b4ac' } })
  .jpeg()
  .toBuffer();
/** A blue carton on a grey wall; an arm of the colour of skin reaches from the corner to it. */
function heldCartonAt(x: number, y: number): readonly number[] {
  if (x >= 220 && x < 420 && y >= 140 && y < 470) return [32, 69, 124];
  const isArm = x < 225 && y > 430 - x * 0.44 && (x < 130 || y < 640 - (x - 130) * 2.5);
  return isArm ? [224, 161, 132] : [201, 205, 210];
}
const side = photoCheckLimits.side;
const heldCarton = await sharp(
  Uint8Array.from({ length: side * side * 3 }, (_, at) => {
    const pixel = Math.floor(at / 3);
    return heldCartonAt(pixel % side, Math.floor(pixel / side))[at % 3]!;
  }),
  { raw: { width: side, height: side, channels: 3 } },
)
  .jpeg()
  .toBuffer();

test('a copy is checked, in a process that ends with the server; nobody else may ask', async ({ stack }) => {
  const seller = await stack.seller();
  const request = (photo: string, questions: ProductQuestions = {}) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ photo, ...questions }),
  });
  const ask = (photo: string, questions?: ProductQuestions) =>
    seller.fetch(paths.photoChecks, request(photo, questions));
  // Asked for when a studio is opened: the process is there before the first photo.
  const { photoChecker } = stack.server.context;
  const before = photoChecker.pid();
  const start = { method: 'POST' };
  expect((await fetch(stack.url + paths.startPhotoChecks, start)).status).toBe(401);
  // Tests of other files may have started it.
  expect(photoChecker.pid()).toBe(before);
  expect((await seller.fetch(paths.startPhotoChecks, start)).status).toBe(204);
  const pid = photoChecker.pid();
  expect(pid).toBeDefined();
  const check = async (photo: Buffer, questions?: ProductQuestions) =>
    (await (await ask(photo.toString('base64'), questions)).json()) as CheckedPhoto;
  expect(await check(wall)).toEqual({ checked: true, warnings: ['background'], cutout: null });
  expect(await check(mug)).toEqual({ checked: true, warnings: [], cutout: null });
  expect((await seller.fetch(paths.startPhotoChecks, start)).status).toBe(204);
  expect(photoChecker.pid()).toBe(pid);
  const { cutout } = await check(mug, { cutout: true });
  expect(await sharp(Buffer.from(cutout!, 'base64')).metadata()).toMatchObject({
    format: 'webp',
    hasAlpha: true,
  });
  // The studio asks for the cutout first, and for hands when it has it.
  expect(await check(heldCarton, { cutout: true, hands: false })).toMatchObject({
    warnings: [],
    cutout: expect.any(String),
  });
  expect((await check(heldCarton)).warnings).toEqual(['held']);
  expect(await check(Buffer.from('no photo'))).toEqual({ checked: false, warnings: [], cutout: null });
  expect((await ask('not base64!')).status).toBe(400);
  expect((await ask('A'.repeat(photoCheckLimits.characters + 2_048))).status).toBe(413);
  const nobody = await fetch(`${stack.url}${paths.photoChecks}`, request(mug.toString('base64')));
  expect(nobody.status).toBe(401);
});

test(
  'nothing waits long, and nothing fails, without the check',
  async () => {
    const off = createPhotoChecker(log, { photoChecks: false, cutoutModel: undefined });
    expect(await off.check(client, mug)).toBeNull();
    off.warmUp();
    expect(off.pid()).toBeUndefined();

    const checker = createPhotoChecker(log, { photoChecks: true, cutoutModel: undefined }, modelPatience);
    // More than may wait: the last ones are not checked, at once.
    const many = Array.from({ length: photoCheckLimits.waitingOfSeller + 3 }, () =>
      checker.check(client, wall),
    );
    const refused = await Promise.any(
      many.map((each) => each.then((found) => found ?? Promise.resolve(null))),
    );
    expect(refused).toBeNull();
    // A process that is killed costs the check that it does.
    process.kill(checker.pid()!, 'SIGKILL');
    const found = await Promise.all(many);
    expect(found.filter((each) => each === null).length).toBeGreaterThanOrEqual(2);
    expect(await checker.check(client, mug)).toEqual({ warnings: [], cutout: null });
    // A client that has gone.
    const gone = AbortSignal.abort();
    expect(await checker.check({ ...client, disconnected: gone }, mug)).toBeNull();
    await checker.close();
    expect(await checker.check(client, mug)).toBeNull();
  },
  limitMs(60_000),
);

test('a model that cannot be used is refused at the start', async () => {
  const checker = createPhotoChecker(log, {
    photoChecks: true,
    cutoutModel: { file: '/nowhere/model.onnx' },
  });
  await expect(checker.ready()).rejects.toThrow(
    /^CUTOUT_MODEL: \/nowhere\/model\.onnx cannot be read as an ONNX model/,
  );
  await checker.close();
});
