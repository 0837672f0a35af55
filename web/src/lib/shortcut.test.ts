import { expect, it } from 'vitest';
import { shortcutOf } from './shortcut.ts';

/** A press of a key, as a browser reports it. */
function press(key: string, code: string, held: Partial<KeyboardEvent> & { altGraph?: boolean } = {}) {
  const { altGraph = false, ...event } = held;
  const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  return {
    ...none,
    isComposing: false,
    keyCode: 90,
    key,
    code,
    ...event,
    getModifierState: (modifier: string) => modifier === 'AltGraph' && altGraph,
  };
}
const ctrl = { ctrlKey: true };

it.each([
  ['US', 'z', 'KeyZ'],
  ['US with Caps Lock', 'Z', 'KeyZ'],
  ['Russian', 'я', 'KeyZ'],
  ['Greek', 'ζ', 'KeyZ'],
  ['Hebrew', 'ז', 'KeyZ'],
  ['Arabic', 'ئ', 'KeyZ'],
  ['Thai', 'ผ', 'KeyZ'],
  ['Korean', 'ㅋ', 'KeyZ'],
  ['Hindi, whose key types a vowel sign', 'ॆ', 'KeyZ'],
  ['German', 'z', 'KeyY'],
  ['French', 'z', 'KeyW'],
  ['Dvorak', 'z', 'Slash'],
])('finds Z in the layout %s', (_, key, code) => {
  expect(shortcutOf(press(key, code, ctrl))).toBe('Mod+z');
  expect(shortcutOf(press(key, code, { metaKey: true }))).toBe('Mod+z');
  expect(shortcutOf(press(key.toUpperCase(), code, { ...ctrl, shiftKey: true }))).toBe('Mod+Shift+z');
});

it.each([
  ['German', 'y', 'KeyZ'],
  ['French', 'w', 'KeyZ'],
  ['Dvorak', ';', 'KeyZ'],
  ['Turkish F', 'ı', 'KeyZ'],
])('takes the letter of a Latin layout, not the key of another one: %s', (_, key, code) => {
  expect(shortcutOf(press(key, code, ctrl))).toBe(`Mod+${key}`);
});

it('takes other keys by their name', () => {
  expect(shortcutOf(press('ArrowLeft', 'ArrowLeft'))).toBe('ArrowLeft');
  expect(shortcutOf(press('ArrowUp', 'ArrowUp', { shiftKey: true }))).toBe('Shift+ArrowUp');
  expect(shortcutOf(press('ArrowLeft', 'ArrowLeft', { altKey: true }))).toBe('Alt+ArrowLeft');
  expect(shortcutOf(press('я', 'KeyZ'))).toBe('z');
});

it('is no other shortcut with AltGr, which is Ctrl and Alt on Windows', () => {
  expect(shortcutOf(press('ż', 'KeyZ', { ...ctrl, altKey: true }))).toBe('Alt+Mod+ż');
  expect(shortcutOf(press('я', 'KeyZ', { ...ctrl, altGraph: true }))).toBe('Alt+Mod+z');
});

it('is no other shortcut with Ctrl and Cmd', () => {
  expect(shortcutOf(press('z', 'KeyZ', { ...ctrl, metaKey: true }))).toBe('Ctrl+Meta+z');
});

it('is none while text is composed', () => {
  expect(shortcutOf(press('z', 'KeyZ', { ...ctrl, isComposing: true }))).toBe('');
  // Safari: the key that ends the composition.
  expect(shortcutOf(press('Enter', 'Enter', { keyCode: 229 }))).toBe('');
});

it('takes an event without a key, as autofill sends', () => {
  const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  expect(shortcutOf(none)).toBe('');
});
