import {
  type LookView,
  type SceneChip,
  type SceneId,
  type SceneTemplate,
  sceneChips,
  sceneLibrary,
  splitTemplate,
  withTemplate,
} from '#contract';

/** A scene that can be chosen: one of the library, a template, or a look of the seller. */
export type SceneChoice =
  | { kind: 'library'; id: SceneId }
  | { kind: 'template'; name: SceneTemplate }
  | { kind: 'look'; look: LookWords };

/** What a look puts into a description. */
export type LookWords = Pick<LookView, 'id' | 'name' | 'template' | 'scene'>;

/** The library's scene whose words are in a description; undefined if there is none. */
export function sceneIn(description: string): (typeof sceneLibrary)[number] | undefined {
  return sceneLibrary.find((scene) => findWords(description, scene.description) !== null);
}

/** The choice whose words are in a description, the one with the most words; undefined if there is none. */
export function choiceIn(description: string, looks: readonly LookWords[] = []): SceneChoice | undefined {
  const { template } = splitTemplate(description);
  const [longest] = looks
    .filter((look) => (look.template ?? undefined) === template && findWords(description, look.scene))
    .sort((one, other) => other.scene.length - one.scene.length);
  const scene = sceneIn(description);
  // A look may consist of fewer words than the scene that is there.
  const isLook = longest && (!scene || longest.scene.length >= scene.description.length);
  if (isLook) return { kind: 'look', look: longest };
  if (scene) return { kind: 'library', id: scene.id };
  return template && { kind: 'template', name: template };
}

/** Whether two choices are the same. */
export function isSameChoice(one: SceneChoice | undefined, other: SceneChoice | undefined): boolean {
  return one !== undefined && other !== undefined && keyOfChoice(one) === keyOfChoice(other);
}

/** Differs for two choices. */
export function keyOfChoice(choice: SceneChoice): string {
  if (choice.kind === 'library') return choice.id;
  return choice.kind === 'template' ? choice.name : `look ${choice.look.id}`;
}

/** What a choice is called. */
export function nameOfChoice(choice: SceneChoice): string {
  if (choice.kind === 'template') return choice.name;
  if (choice.kind === 'look') return choice.look.name;
  return sceneLibrary.find(({ id }) => id === choice.id)!.name;
}

/**
 * Puts a choice into a description, in place of the one that is there: template, scene or look. The seller's own words stay
 * after it.
 */
export function withChoice(
  choice: SceneChoice,
  description: string,
  looks: readonly LookWords[] = [],
): string {
  const own = withoutChoice(description, looks);
  if (choice.kind === 'template') return withTemplate(choice.name, own);
  if (choice.kind === 'library') {
    return joinSentences(sceneLibrary.find(({ id }) => id === choice.id)!.description, own);
  }
  const { template, scene } = choice.look;
  const words = joinSentences(scene, own);
  return template ? withTemplate(template, words) : words;
}

/** A description without its template and the words of a scene or look: the seller's own words. */
export function withoutChoice(description: string, looks: readonly LookWords[] = []): string {
  const choice = choiceIn(description, looks);
  const { scene } = splitTemplate(description);
  const words = choice?.kind === 'look' ? choice.look.scene : sceneIn(scene)?.description;
  const place = words === undefined ? null : findWords(scene, words);
  if (!place) return scene;
  // What ended the sentence of a look goes with it.
  return join(scene.slice(0, place.start), scene.slice(place.end).replace(/^[.,;:]\s*/, ''));
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

/** A scene before the seller's own words, which begin a sentence of their own where the scene does not end one. */
function joinSentences(scene: string, own: string): string {
  if (own === '') return scene;
  return /[.!?,;:]$/.test(scene) ? `${scene} ${own}` : `${scene}. ${own}`;
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
