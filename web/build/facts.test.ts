import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingsSchema } from '#contract';
import { settingsSchema as installationSchema } from '#shared/platform/settings.ts';
import { pageFacts } from './page-facts.ts';
import { remarkFacts } from './remark-facts.ts';

const count = (value: number) => value.toLocaleString('en-US');

test('facts are written as the texts show them', () => {
  expect(pageFacts).toMatchObject({
    photos: '4',
    photoSize: '20 MB',
    freelancePrice: '$50',
    freelanceImages: '100',
    enterprisePrice: '$199',
    fairUse: '3,000',
    verificationHours: '48',
    unverifiedDays: '7',
    activityDays: '90',
    sceneCharacters: '4,000',
  });
});

test('facts about settings of an installation are the defaults', () => {
  const setting = (name: 'FAIR_USE_MONTHLY' | 'PAST_DUE_GRACE_DAYS' | 'FREE_IMAGES' | 'KEEP_TRASH_DAYS') =>
    count(installationSchema.shape[name].parse(undefined) as number);
  expect(pageFacts.fairUse).toBe(setting('FAIR_USE_MONTHLY'));
  expect(pageFacts.freeImages).toBe(setting('FREE_IMAGES'));
  expect(pageFacts.trashDays).toBe(setting('KEEP_TRASH_DAYS'));
  expect(pageFacts.graceDays).toBe(setting('PAST_DUE_GRACE_DAYS'));
});

test("facts about a seller's settings are the defaults", () => {
  const settings = settingsSchema.parse({});
  expect(pageFacts.sessionTimeoutMinutes).toBe(count(settings.sessionTimeoutMinutes));
  expect(pageFacts.passwordExpiryDays).toBe(count(settings.passwordExpiryDays));
});

test('every fact is in a text', () => {
  const folder = join(import.meta.dirname, '..', 'src', 'content');
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') || file === 'faq.ts')
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  const unused = Object.keys(pageFacts).filter(
    (name) => !texts.some((text) => text.includes(`{${name}}`) || text.includes(`facts.${name}}`)),
  );
  expect(unused).toEqual([]);
});

const paragraph = (type: string, value: string) => ({
  type: 'root',
  children: [{ type: 'paragraph', children: [{ type, value }] }],
});

test('the name of a fact in a text is replaced by the fact', () => {
  const tree = paragraph('text', 'Up to {photos} photos of {photoSize}.');
  remarkFacts()(tree);
  expect(tree).toEqual(paragraph('text', 'Up to 4 photos of 20 MB.'));
});

test('code keeps its braces', () => {
  const tree = paragraph('inlineCode', '{"useImage": true}');
  remarkFacts()(tree);
  expect(tree).toEqual(paragraph('inlineCode', '{"useImage": true}'));
});

test.each(['Up to {photosMost} photos.', 'Up to {} photos.', 'Up to {toString} photos.'])(
  '%s fails the build, because there is no such fact',
  (text) => {
    expect(() => remarkFacts()(paragraph('text', text))).toThrow('page-facts.ts');
  },
);
