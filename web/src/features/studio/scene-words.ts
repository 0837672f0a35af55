import { type SceneChip, type SceneId, sceneChips, sceneLibrary, splitTemplate } from '#contract';

/** The library's scene whose words are in a description; undefined if there is none. */
export function sceneIn(description: string): (typeof sceneLibrary)[number] | undefined {
  return sceneLibrary.find((scene) => findWords(description, scene.description) !== null);
}

/**
 * Puts a scene of the library into a description: after the template's name, before the seller's own words. It replaces
 * another scene of the library; choosing the one that is there takes it out again.
 */
export function withScene(id: SceneId, description: string): string {
  const present = sceneIn(description);
  const chosen = sceneLibrary.find((scene) => scene.id === id);
  if (present === undefined) return chosen ? addScene(chosen.description, description) : description;
  const { start, end } = findWords(description, present.description)!;
  if (chosen === undefined || present.id === id)
    return join(description.slice(0, start), description.slice(end));
  return description.slice(0, start) + chosen.description + description.slice(end);
}

/** The chips whose words are in a description; the words of a scene of the library do not count. */
export function chipsIn(description: string): SceneChip[] {
  const own = withoutSceneWords(description);
  return sceneChips.filter(({ words }) => findWords(own, words) !== null);
}

/**
 * Adds a chip's words to a description, in place of those of another chip of its kind, or takes them out if they are
 * there.
 */
export function withChip(chip: SceneChip, description: string): string {
  const own = withoutSceneWords(description);
  const present = chipsIn(description).find(({ kind }) => kind === chip.kind);
  const place = present && findWords(own, present.words);
  if (!place) return addWords(chip.words, description);
  const before = description.slice(0, place.start);
  const after = description.slice(place.end);
  if (present.id !== chip.id) {
    return before + (startsSentence(before) ? upperFirst(chip.words) : chip.words) + after;
  }
  // Its comma goes with it; a list keeps the others.
  if (/,\s*$/.test(before)) return join(before.replace(/,\s*$/, ''), after);
  return join(before, after.replace(/^\s*[,.]\s*/, ''));
}

/** A description of the same length in which the words of a scene of the library are blank. */
function withoutSceneWords(description: string): string {
  const scene = sceneIn(description);
  const place = scene && findWords(description, scene.description);
  if (!place) return description;
  const blank = ' '.repeat(place.end - place.start);
  return description.slice(0, place.start) + blank + description.slice(place.end);
}

function startsSentence(before: string): boolean {
  return /(^|[.!?])\s*$/.test(before);
}

/** Where words are in a text, as whole words in any case; null if they are not. */
function findWords(text: string, words: string): { start: number; end: number } | null {
  const [lowerText, lowerWords] = [text.toLowerCase(), words.toLowerCase()];
  // Some letters change their length in lower case: then places would be wrong.
  if (lowerText.length !== text.length) return findExactWords(text, words);
  return findExactWords(lowerText, lowerWords);
}

function findExactWords(text: string, words: string): { start: number; end: number } | null {
  for (let start = text.indexOf(words); start !== -1; start = text.indexOf(words, start + 1)) {
    const end = start + words.length;
    if (!/[\p{L}\p{N}]$/u.test(text.slice(0, start)) && !/^[\p{L}\p{N}]/u.test(text.slice(end))) {
      return { start, end };
    }
  }
  return null;
}

function addScene(scene: string, description: string): string {
  const { template, scene: own } = splitTemplate(description);
  const prefix = template ? `${template}: ` : '';
  return own === '' ? prefix + scene : `${prefix}${scene} ${own}`;
}

/** Words at the end of a description: after a comma, or as a new sentence. */
function addWords(words: string, description: string): string {
  const text = description.trimEnd();
  if (text === '') return upperFirst(words);
  if (/[.!?]$/.test(text)) return `${text} ${upperFirst(words)}`;
  // After the template's name, or a comma that is there already.
  return /[:,;]$/.test(text) ? `${text} ${words}` : `${text}, ${words}`;
}

/** The rest of a description after something was taken out of its middle. */
function join(before: string, after: string): string {
  const [left, right] = [before.trimEnd(), after.trimStart()];
  if (left === '') return right;
  if (right === '') return left.endsWith(':') ? `${left} ` : left;
  return /^[,.;]/.test(right) ? left + right : `${left} ${right}`;
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
