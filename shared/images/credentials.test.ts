/** Signed images, by a certificate made here. What another implementation reads of them is in decision 124. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '#shared/platform/log.ts';
import { certificateOf, keys, validityOf } from '#tests/support/content-credentials.ts';
import { tagsOf } from '#tests/support/export-pictures.ts';
import { newFolder } from '#tests/support/new-folder.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { openCredentials } from './credentials.ts';
import { listOfIptc } from './image-xmp.ts';

const log = createLog({ logLevel: 'fatal' }, 'test');
test.for(Object.entries(keys))('%s signs PNG and JPEG, and a changed byte is found', async ([, key]) => {
  const contentCredentials = await certificateOf(key);
  const credentials = (await openCredentials({ contentCredentials }, log))!;
  const png = await samplePhoto();
  for (const file of [png, await sharp(png).jpeg().toBuffer()]) {
    const signed = await credentials.sign(file, 'composite');
    expect(await validityOf(signed)).toMatchObject({ isValid: true });
    expect(await sharp(signed).raw().toBuffer()).toEqual(await sharp(file).raw().toBuffer());
    const [tags] = await tagsOf([signed]);
    expect(Object.values(tags!)).toContain(`${listOfIptc}composite`);
    // It is signed once.
    expect(await credentials.sign(signed, 'trainedAlgorithmicMedia')).toBe(signed);
    const changed = Buffer.from(signed);
    changed[changed.length - 40]! ^= 1;
    expect((await validityOf(changed)).isValid).toBe(false);
  }
});

test('what cannot be signed stays as it is', async () => {
  const credentials = (await openCredentials(
    { contentCredentials: await certificateOf(keys['P-256']) },
    log,
  ))!;
  const webp = await sharp(await samplePhoto())
    .webp()
    .toBuffer();
  const broken = (await samplePhoto()).subarray(0, 100);
  for (const file of [webp, broken]) expect(await credentials.sign(file, 'composite')).toBe(file);
});

test('a certificate that has ended signs nothing', async () => {
  const credentials = (await openCredentials({ contentCredentials: await certificateOf() }, log))!;
  const png = await samplePhoto();
  expect(await credentials.sign(png, 'composite')).not.toBe(png);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect(await credentials.sign(png, 'composite')).toBe(png);
});

test('certificates and keys that do not work are refused when a process starts', async () => {
  const [one, other] = [await certificateOf(keys['P-256']), await certificateOf(keys.RSA)];
  const empty = join(await newFolder(), 'empty.pem');
  await writeFile(empty, '');
  for (const [wrong, message] of [
    [{ certificate: '/nowhere.pem' }, /^C2PA_CERTIFICATE: ENOENT/],
    [{ certificate: empty }, /^C2PA_CERTIFICATE: has no certificate/],
    [{ privateKey: empty }, /^C2PA_PRIVATE_KEY: /],
    [{ privateKey: other.privateKey }, /^C2PA_PRIVATE_KEY: is not the key/],
  ] as const) {
    const contentCredentials = { ...one, ...wrong };
    await expect(openCredentials({ contentCredentials }, log)).rejects.toThrow(message);
  }
  expect(await openCredentials({ contentCredentials: undefined }, log)).toBeNull();
});
