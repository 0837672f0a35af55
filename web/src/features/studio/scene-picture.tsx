import { ImageOff, Palette } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { LookView, SceneId, SceneTemplate } from '#contract';
import { emptyScenePictures, emptyTemplatePictures } from '#web/pictures/empty-scenes.ts';
import { scenePictures } from '#web/pictures/scenes.ts';
import { templatePictures } from '#web/pictures/templates.ts';
import { Picture } from '#web/ui/picture.tsx';
import type { Cutout } from './cutouts.ts';
import { type SceneChoice, sceneIn } from './scene-words.ts';

/** A scene as it is shown on the wall: a look has its picture with it. */
export type WallChoice = Exclude<SceneChoice, { kind: 'look' }> | { kind: 'look'; look: LookView };

/** The product in the pictures: null if it cannot be cut out, `unanswered` if nobody could say, undefined while that is asked. */
export type ShownCutout = Cutout | 'unanswered' | null | undefined;

/** Which scene's picture stands for a choice: a look may consist of one. */
function pictureOf(choice: WallChoice): { scene: SceneId } | { template: SceneTemplate } | null {
  if (choice.kind === 'library') return { scene: choice.id };
  if (choice.kind === 'template') return { template: choice.name };
  // An image that was made with it shows it best.
  if (choice.look.pictureUrl) return null;
  const scene = sceneIn(choice.look.scene);
  if (scene) return { scene: scene.id };
  return choice.look.template && { template: choice.look.template };
}

/** Whether the picture of a choice is a sketch: an empty scene with the product laid over it. */
export function isSketch(choice: WallChoice, cutout: ShownCutout): boolean {
  return !!cutout && cutout !== 'unanswered' && pictureOf(choice) !== null;
}

interface ScenePictureProps {
  choice: WallChoice;
  cutout: ShownCutout;
  /** As in the `sizes` of `<img>`. */
  sizes: string;
}

const fillClass = 'size-full object-cover';

/** The picture of a scene, which fills what is around it: with the seller's own product, or with another one. */
export function ScenePicture({ choice, cutout, sizes }: ScenePictureProps) {
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    if (!broken) return;
    const retry = () => setBroken(false);
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [broken]);
  const onError = () => setBroken(true);
  if (broken) return <ImageOff aria-hidden className="m-auto size-8 text-line-strong" strokeWidth={1.25} />;
  if (choice.kind === 'look' && choice.look.pictureUrl) {
    return <img src={choice.look.pictureUrl} alt="" loading="lazy" onError={onError} className={fillClass} />;
  }
  const found = pictureOf(choice);
  if (found === null) return <Palette aria-hidden className="m-auto size-8 text-ink-soft" />;
  const isScene = 'scene' in found;
  if (cutout === null || cutout === 'unanswered') {
    const ready = isScene ? scenePictures[found.scene] : templatePictures[found.template];
    return <Picture picture={ready} alt="" sizes={sizes} className={fillClass} onError={onError} />;
  }
  const empty = isScene ? emptyScenePictures[found.scene] : emptyTemplatePictures[found.template];
  return (
    <>
      <Picture picture={empty} alt="" sizes={sizes} className={fillClass} onError={onError} />
      {cutout && <Product cutout={cutout} isLying={isScene && found.scene === 'flat-lay'} />}
    </>
  );
}

/** Where a product stands in every empty scene, and the most room that it takes, as shares of the frame. */
const place = { floor: 0.87, height: 0.64, width: 0.78 };

/** The cutout on the floor of a square frame, with a soft shadow where it stands. @param isLying as seen from above */
function Product({ cutout: { url, ratio }, isLying }: { cutout: Cutout; isLying: boolean }) {
  const height = Math.min(place.height, place.width / ratio);
  const width = height * ratio;
  const foot = isLying ? 0.5 + height / 2 : place.floor;
  const percent = (share: number) => `${share * 100}%`;
  const shadow = isLying
    ? { width: width * 1.1, height: height * 1.1, bottom: 1 - foot - height * 0.08 }
    : { width: width * 1.15, height: 0.09, bottom: 1 - foot - 0.035 };
  return (
    <>
      <span
        aria-hidden
        style={{
          left: percent(0.5 - shadow.width / 2),
          bottom: percent(shadow.bottom),
          width: percent(shadow.width),
          height: percent(shadow.height),
        }}
        className="absolute bg-[radial-gradient(closest-side,rgb(0_0_0/48%),rgb(0_0_0/20%)_55%,transparent)]"
      />
      <img
        src={url}
        alt=""
        style={{
          left: percent(0.5 - width / 2),
          bottom: percent(1 - foot),
          width: percent(width),
          height: percent(height),
        }}
        className="absolute animate-land"
      />
    </>
  );
}
