import { expect, test } from 'vitest';
import { cutText, firstCharacter } from './cut-text.ts';

test('a text is cut between characters, never inside an emoji, a flag or an accent', () => {
  expect(cutText('Autumn', 6)).toBe('Autumn');
  expect(cutText('Autumn', 3)).toBe('Aut');
  for (const character of ['🍂', '👩‍👩‍👧', '🇨🇭', 'e\u0301', '👍🏽']) {
    const text = `a${character}b`;
    for (let most = 1; most <= character.length; most += 1)
      expect([most, cutText(text, most)]).toEqual([most, 'a']);
    expect(cutText(text, 1 + character.length)).toBe(`a${character}`);
    expect(firstCharacter(character)).toBe(character);
  }
  expect([cutText('🍂', 1), firstCharacter('')]).toEqual(['', '']);
});
