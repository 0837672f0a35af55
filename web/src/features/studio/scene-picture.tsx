import { Palette } from 'lucide-react';
import type { LookView, SceneId, SceneTemplate } from '#contract';
import { scenePictures } from '#web/pictures/scenes.ts';
import { templatePictures } from '#web/pictures/templates.ts';
import { Picture } from '#web/ui/picture.tsx';
import { type SceneChoice, sceneIn } from './scene-words.ts';

/** A scene as it is shown on the wall: a look has its picture with it. */
export type WallChoice = Exclude<SceneChoice, { kind: 'look' }> | { kind: 'look'; look: LookView };

/** Which scene's picture stands for a choice: a look may consist of one. */
function pictureOf(choice: WallChoice): { scene: SceneId } | { template: SceneTemplate } | null {
  if (choice.kind === 'library') return { scene: choice.id };
  if (choice.kind === 'template') return { template: choice.name };
  const scene = sceneIn(choice.look.scene);
  if (scene) return { scene: scene.id };
  return choice.look.template && { template: choice.look.template };
}

interface ScenePictureProps {
  choice: WallChoice;
  /** As in the `sizes` of `<img>`. */
  sizes: string;
}

/** The picture of a scene, which fills what is around it. */
export function ScenePicture({ choice, sizes }: ScenePictureProps) {
  if (choice.kind === 'look' && choice.look.pictureUrl) {
    return <img src={choice.look.pictureUrl} alt="" loading="lazy" className="size-full object-cover" />;
  }
  const found = pictureOf(choice);
  if (found === null) return <Palette aria-hidden className="m-auto size-8 text-ink-soft" />;
  const picture = 'scene' in found ? scenePictures[found.scene] : templatePictures[found.template];
  return <Picture picture={picture} alt="" sizes={sizes} className="size-full object-cover" />;
}
