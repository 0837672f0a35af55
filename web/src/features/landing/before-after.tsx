import type { PicturePair } from '#web/pictures/hero.ts';
import { CompareSlider } from '#web/ui/compare-slider.tsx';
import { PictureSwitch } from './picture-switch.tsx';

interface BeforeAfterProps {
  pair: PicturePair;
  /** Pairs that the visitor may choose next. */
  preload: readonly PicturePair[];
  sizes: string;
}

/** A sample photo and the image that was made from it, to be compared. */
export function BeforeAfter({ pair, preload, sizes }: BeforeAfterProps) {
  return (
    <CompareSlider
      className="aspect-square bg-sunken shadow-card"
      photo={
        <PictureSwitch atTop shown={pair.photo} preload={preload.map(({ photo }) => photo)} sizes={sizes} />
      }
      image={
        <PictureSwitch atTop shown={pair.image} preload={preload.map(({ image }) => image)} sizes={sizes} />
      }
    />
  );
}
