/** A press of a key as React reports it. In the browser's own events, autofill leaves out what is optional. */
type KeyPress = Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'> & {
  key?: string;
  code?: string;
  keyCode?: number;
  isComposing?: boolean;
  getModifierState?: (modifier: 'AltGraph') => boolean;
};

/** What browsers report as the key of every press that an input method takes. */
const inputMethodKey = 229;

/**
 * The shortcut that was pressed, such as `Escape`, `Shift+ArrowUp` or `Mod+Shift+z`; `Mod` is Ctrl or Cmd. A letter is the one that
 * the key types. Where it types another script, it is the one on the key's place of a US keyboard, as in the menus of Windows and
 * macOS.
 * @returns '' while text is being composed
 */
export function shortcutOf(event: KeyPress): string {
  const { key = '', code = '', ctrlKey, metaKey } = event;
  if (event.isComposing || event.keyCode === inputMethodKey) return '';
  const isAlt = event.altKey || event.getModifierState?.('AltGraph');
  const isMod = ctrlKey || metaKey;
  const modifiers = [
    isAlt && 'Alt+',
    isMod && (ctrlKey && metaKey ? 'Ctrl+Meta+' : 'Mod+'),
    event.shiftKey && 'Shift+',
  ];
  return [...modifiers, letterOf(key, code)].filter(Boolean).join('');
}

/** One letter or vowel sign that is not Latin: Dvorak has punctuation where others have letters. */
const otherScript = /^(?!\p{Script=Latin})[\p{L}\p{M}]$/u;

function letterOf(key: string, code: string): string {
  const letter = otherScript.test(key) ? (/^Key(.)$/.exec(code)?.[1] ?? key) : key;
  return letter.length === 1 ? letter.toLowerCase() : letter;
}
