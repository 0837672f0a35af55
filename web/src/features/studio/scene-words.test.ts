import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sceneChips, sceneLibrary, sceneTemplates, withTemplate } from '#contract';
import { chipsIn, sceneIn, withChip, withScene } from './scene-words.ts';

const oak = sceneLibrary.find(({ id }) => id === 'oak-table')!.description;
const marble = sceneLibrary.find(({ id }) => id === 'white-marble')!.description;
const chip = (id: string) => sceneChips.find((one) => one.id === id)!;

describe('withScene', () => {
  it('puts the scene before the seller’s own words, and after the template', () => {
    expect(withScene('oak-table', '')).toBe(oak);
    expect(withScene('oak-table', 'Two lemons beside it.')).toBe(`${oak} Two lemons beside it.`);
    expect(withScene('oak-table', 'Studio Photography Setup: with lemons')).toBe(
      `Studio Photography Setup: ${oak} with lemons`,
    );
  });

  it('replaces another scene and keeps everything else', () => {
    const description = `Studio Photography Setup: ${oak} Two lemons beside it.`;
    const replaced = withScene('white-marble', description);
    expect(replaced).toBe(`Studio Photography Setup: ${marble} Two lemons beside it.`);
    expect(sceneIn(replaced)?.id).toBe('white-marble');
  });

  it('takes the scene out again when it is chosen a second time', () => {
    expect(withScene('oak-table', oak)).toBe('');
    expect(withScene('oak-table', `${oak} Two lemons beside it.`)).toBe('Two lemons beside it.');
    expect(withScene('oak-table', `Studio Photography Setup: ${oak}`)).toBe('Studio Photography Setup: ');
  });

  it('leaves a scene alone that the seller has changed', () => {
    const changed = oak.replace('oak', 'ash');
    expect(sceneIn(changed)).toBeUndefined();
    expect(withScene('white-marble', changed)).toBe(`${marble} ${changed}`);
  });
});

describe('withChip', () => {
  it('adds its words as part of the sentence, or as a sentence of their own', () => {
    expect(withChip(chip('soft-light'), '')).toBe('Soft diffused light');
    expect(withChip(chip('soft-light'), 'On oak')).toBe('On oak, soft diffused light');
    expect(withChip(chip('soft-light'), 'On oak.')).toBe('On oak. Soft diffused light');
    expect(withChip(chip('soft-light'), 'Studio Photography Setup: ')).toBe(
      'Studio Photography Setup: soft diffused light',
    );
  });

  it('takes its words out again, wherever they are', () => {
    for (const description of ['', 'On oak', 'On oak.', 'On oak. Two lemons.']) {
      const added = withChip(chip('top-view'), description);
      expect(chipsIn(added)).toEqual([chip('top-view')]);
      expect(withChip(chip('top-view'), added)).toBe(description);
    }
    expect(withChip(chip('soft-light'), 'On oak, soft diffused light, with lemons')).toBe(
      'On oak, with lemons',
    );
    expect(withChip(chip('soft-light'), 'Soft diffused light, with lemons')).toBe('with lemons');
  });

  it('replaces the words of another chip of its kind', () => {
    expect(withChip(chip('low-angle'), 'Top view from directly above, on oak')).toBe(
      'Seen from a low angle, on oak',
    );
    expect(withChip(chip('low-angle'), 'On oak, top view from directly above')).toBe(
      'On oak, seen from a low angle',
    );
    const both = withChip(chip('soft-light'), withChip(chip('top-view'), 'On oak'));
    expect(both).toBe('On oak, top view from directly above, soft diffused light');
  });

  it('leaves the words of a scene of the library alone', () => {
    const linen = sceneLibrary.find(({ id }) => id === 'natural-linen')!.description;
    expect(chipsIn(linen)).toEqual([]);
    const added = withChip(chip('on-linen'), linen);
    expect(added).toBe(`${linen} On natural linen`);
    expect(chipsIn(added).map(({ id }) => id)).toEqual(['on-linen']);
    expect(withChip(chip('on-linen'), added)).toBe(linen);
  });

  it('recognises only whole words', () => {
    expect(chipsIn('On light oaken boards')).toEqual([]);
    expect(chipsIn('ON LIGHT OAK').map(({ id }) => id)).toEqual(['on-oak']);
  });
});

/** The seller's own words: letters, so that no scene or chip is in them by chance. */
const ownWords = fc.stringMatching(/^[a-zäöß]{1,8}( [a-zäöß]{1,8}){0,5}[.!]?$/);
const seed = Date.now() % 1_000_000;

it(`never loses the seller's own words, whatever is chosen (seed ${seed})`, () => {
  const action = fc.oneof(
    fc.constantFrom(...sceneLibrary).map(
      ({ id }) =>
        (text: string) =>
          withScene(id, text),
    ),
    fc.constantFrom(...sceneChips).map((one) => (text: string) => withChip(one, text)),
    fc.constantFrom(...sceneTemplates).map((name) => (text: string) => withTemplate(name, text)),
  );
  fc.assert(
    fc.property(ownWords, fc.array(action, { maxLength: 12 }), (own, actions) => {
      const result = actions.reduce((text, act) => act(text), own);
      expect(result).toContain(own.replace(/[.!]$/, ''));
    }),
    { seed, numRuns: 500 },
  );
});

it(`choosing a scene or a chip twice changes nothing (seed ${seed})`, () => {
  const choices = fc.oneof(
    fc.constantFrom(...sceneLibrary).map(
      ({ id }) =>
        (text: string) =>
          withScene(id, text),
    ),
    fc.constantFrom(...sceneChips).map((one) => (text: string) => withChip(one, text)),
  );
  fc.assert(
    fc.property(ownWords, choices, (own, choose) => {
      expect(choose(choose(own))).toBe(own);
    }),
    { seed, numRuns: 500 },
  );
});
