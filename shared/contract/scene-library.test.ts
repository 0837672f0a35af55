import { expect, test } from 'vitest';
import { limits } from './limits.ts';
import { chipKinds, sceneChips } from './scene-chips.ts';
import { sceneGroups, sceneLibrary } from './scene-library.ts';
import { sceneTemplates } from './templates.ts';

const wordCount = (text: string) => text.split(/\s+/).length;
const isUnique = (values: readonly string[]) => new Set(values).size === values.length;

test('the library has at least 24 scenes, at least six in each group', () => {
  expect(sceneLibrary.length).toBeGreaterThanOrEqual(24);
  for (const { id } of sceneGroups) {
    expect(sceneLibrary.filter(({ group }) => group === id).length, id).toBeGreaterThanOrEqual(6);
  }
});

test('names are two or three words, descriptions a sentence of 10 to 25 words', () => {
  for (const { id, name, description } of sceneLibrary) {
    expect(wordCount(name), id).toBeGreaterThanOrEqual(2);
    expect(wordCount(name), id).toBeLessThanOrEqual(3);
    expect(wordCount(description), id).toBeGreaterThanOrEqual(10);
    expect(wordCount(description), id).toBeLessThanOrEqual(25);
    expect(description, id).toMatch(/^[A-Z][^.:]+\.$/);
  }
});

test('ids, names and descriptions are unique, and no scene has the name of a template', () => {
  expect(isUnique(sceneLibrary.map(({ id }) => id))).toBe(true);
  expect(isUnique(sceneLibrary.map(({ description }) => description))).toBe(true);
  expect(isUnique([...sceneLibrary.map(({ name }) => name), ...sceneTemplates])).toBe(true);
});

test('there are at least five chips of each kind, and no chip contains the words of another', () => {
  for (const { id } of chipKinds) {
    expect(sceneChips.filter(({ kind }) => kind === id).length, id).toBeGreaterThanOrEqual(5);
  }
  expect(isUnique(sceneChips.map(({ id }) => id))).toBe(true);
  expect(isUnique(sceneChips.map(({ label }) => label))).toBe(true);
  // Otherwise, removing one chip from a description would damage another.
  for (const chip of sceneChips) {
    const inside = sceneChips.filter(({ words }) => words !== chip.words && words.includes(chip.words));
    expect(inside, chip.words).toEqual([]);
  }
});

test('a scene with a chip of each kind fits into a description', () => {
  const longest = Math.max(...sceneLibrary.map(({ description }) => description.length));
  const words = sceneChips.reduce((sum, chip) => sum + chip.words.length + 2, 0);
  expect(longest + words).toBeLessThan(limits.promptCharacters);
});
