/** Chips that add words to a scene description. In a file of their own, because the studio shows them at first. */

/** What a chip is about; a description needs at most one chip of each kind. */
export const chipKinds = [
  { id: 'light', name: 'Light' },
  { id: 'angle', name: 'Angle' },
  { id: 'surface', name: 'Surface' },
] as const;
export type ChipKindId = (typeof chipKinds)[number]['id'];

/** A chip under the description. */
export interface SceneChip {
  id: string;
  kind: ChipKindId;
  label: string;
  /** The words that it adds to the description. */
  words: string;
}

/** Every chip, by kind. */
export const sceneChips = [
  { id: 'soft-light', kind: 'light', label: 'Soft light', words: 'soft diffused light' },
  { id: 'morning-sun', kind: 'light', label: 'Morning sun', words: 'warm morning sunlight from the side' },
  { id: 'golden-light', kind: 'light', label: 'Golden hour', words: 'low golden hour sunlight' },
  { id: 'hard-shadow', kind: 'light', label: 'Hard shadow', words: 'direct sunlight and a hard shadow' },
  { id: 'bright-light', kind: 'light', label: 'Bright & airy', words: 'bright and airy light' },
  { id: 'moody-light', kind: 'light', label: 'Moody', words: 'dramatic moody light from one side' },
  { id: 'eye-level', kind: 'angle', label: 'Eye level', words: 'seen at eye level' },
  { id: 'slightly-above', kind: 'angle', label: 'Slightly above', words: 'seen from slightly above' },
  { id: 'top-view', kind: 'angle', label: 'Top view', words: 'top view from directly above' },
  { id: 'low-angle', kind: 'angle', label: 'Low angle', words: 'seen from a low angle' },
  { id: 'close-up', kind: 'angle', label: 'Close-up', words: 'close-up that fills the frame' },
  { id: 'wide-shot', kind: 'angle', label: 'Room around it', words: 'plenty of empty space around it' },
  { id: 'on-oak', kind: 'surface', label: 'Oak', words: 'on light oak' },
  { id: 'on-marble', kind: 'surface', label: 'Marble', words: 'on white marble' },
  { id: 'on-linen', kind: 'surface', label: 'Linen', words: 'on natural linen' },
  { id: 'on-concrete', kind: 'surface', label: 'Concrete', words: 'on raw concrete' },
  { id: 'on-slate', kind: 'surface', label: 'Slate', words: 'on dark slate' },
  { id: 'on-paper', kind: 'surface', label: 'Paper', words: 'on seamless white paper' },
] as const satisfies readonly SceneChip[];
export type SceneChipId = (typeof sceneChips)[number]['id'];
