import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SceneId, type SceneTemplate, sceneChips, sceneLibrary, sceneTemplates } from '#contract';
import {
  chipsIn,
  choiceIn,
  type LookWords,
  type SceneChoice,
  withChip,
  withChoice,
  withoutChoice,
} from './scene-words.ts';

const oak = sceneLibrary.find(({ id }) => id === 'oak-table')!.description;
const marble = sceneLibrary.find(({ id }) => id === 'white-marble')!.description;
const chip = (id: string) => sceneChips.find((one) => one.id === id)!;

const terrace: LookWords = { id: '1', name: 'Terrace', template: null, scene: 'On a terrace' };
const studioOak: LookWords = {
  id: '2',
  name: 'Studio oak',
  template: 'Studio Photography Setup',
  scene: 'On oak with lemons',
};
const looks = [terrace, studioOak];
const library = (id: SceneId): SceneChoice => ({ kind: 'library', id });
const template = (name: SceneTemplate): SceneChoice => ({ kind: 'template', name });
const look = (words: LookWords): SceneChoice => ({ kind: 'look', look: words });
const white = template('Minimalist White Background');

describe('withChoice', () => {
  it('puts the scene before the seller’s own words', () => {
    expect(withChoice(library('oak-table'), '')).toBe(oak);
    expect(withChoice(library('oak-table'), 'Two lemons beside it.')).toBe(`${oak} Two lemons beside it.`);
    expect(withChoice(white, 'two lemons')).toBe('Minimalist White Background: two lemons');
    expect(withChoice(look(terrace), 'Two lemons beside it.')).toBe('On a terrace. Two lemons beside it.');
  });

  it('replaces whatever was chosen before and keeps the seller’s own words', () => {
    const before = `${oak} Two lemons beside it.`;
    expect(withChoice(library('white-marble'), before)).toBe(`${marble} Two lemons beside it.`);
    expect(withChoice(white, before)).toBe('Minimalist White Background: Two lemons beside it.');
    expect(withChoice(library('oak-table'), 'Minimalist White Background: with lemons')).toBe(
      `${oak} with lemons`,
    );
    const ofLook = withChoice(look(studioOak), before, looks);
    expect(ofLook).toBe('Studio Photography Setup: On oak with lemons. Two lemons beside it.');
    expect(withChoice(library('oak-table'), ofLook, looks)).toBe(before);
    expect(withChoice(look(terrace), ofLook, looks)).toBe('On a terrace. Two lemons beside it.');
  });

  it('ends a template and a scene that are there together, from before one replaced the other', () => {
    const both = `Minimalist White Background: ${oak} with lemons`;
    expect(withoutChoice(both)).toBe('with lemons');
    expect(withChoice(library('white-marble'), both)).toBe(`${marble} with lemons`);
  });

  it('leaves a scene alone that the seller has changed', () => {
    const changed = oak.replace('oak', 'ash');
    expect(choiceIn(changed)).toBeUndefined();
    expect(withChoice(library('white-marble'), changed)).toBe(`${marble} ${changed}`);
  });

  it('takes the words of a look for the look, not for a part of a scene', () => {
    const short: LookWords = { id: '3', name: 'Short', template: null, scene: 'On a light oak table' };
    expect(choiceIn(oak, [short])).toEqual(library('oak-table'));
    expect(choiceIn('On a light oak table with lemons', [short])).toEqual(look(short));
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

const anyChoice = fc.constantFrom(
  ...sceneLibrary.map(({ id }) => library(id)),
  ...sceneTemplates.map(template),
  ...looks.map(look),
);
const anyChip = fc.constantFrom(...sceneChips);

it(`never loses the seller's own words, whatever is chosen (seed ${seed})`, () => {
  const action = fc.oneof(
    anyChoice.map((choice) => (text: string) => withChoice(choice, text, looks)),
    anyChip.map((one) => (text: string) => withChip(one, text)),
    fc.constant((text: string) => withoutChoice(text, looks)),
  );
  fc.assert(
    fc.property(ownWords, fc.array(action, { maxLength: 12 }), (own, actions) => {
      const result = actions.reduce((text, act) => act(text), own);
      expect(result).toContain(own.replace(/[.!]$/, ''));
    }),
    { seed, numRuns: 500 },
  );
});

it(`the last choice is the only one, and taking it out leaves what was typed (seed ${seed})`, () => {
  fc.assert(
    fc.property(ownWords, fc.array(anyChoice, { minLength: 1, maxLength: 6 }), (own, choices) => {
      const result = choices.reduce((text, choice) => withChoice(choice, text, looks), own);
      expect(choiceIn(result, looks)).toEqual(choices.at(-1));
      expect(withoutChoice(result, looks)).toBe(own);
    }),
    { seed, numRuns: 500 },
  );
});

it(`choosing a chip twice changes nothing (seed ${seed})`, () => {
  fc.assert(
    fc.property(ownWords, anyChip, (own, one) => {
      expect(withChip(one, withChip(one, own))).toBe(own);
    }),
    { seed, numRuns: 500 },
  );
});
