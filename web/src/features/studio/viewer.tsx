import { useRef } from 'react';
import Lightbox from 'yet-another-react-lightbox';
import Zoom from 'yet-another-react-lightbox/plugins/zoom';
import 'yet-another-react-lightbox/styles.css';

export interface ViewerImage {
  src: string;
  alt: string;
  /** In pixels. */
  width: number;
  height: number;
}

interface ViewerProps {
  images: readonly ViewerImage[];
  /** The index of the image that it opens with. */
  shown: number;
  /** @param index of the image that was seen last */
  onClose: (index: number) => void;
}

/** Images over the whole window, to zoom and pan; the arrow keys go through several. */
export function Viewer({ images, shown, onClose }: ViewerProps) {
  const seen = useRef(shown);
  const several = images.length > 1;
  return (
    <Lightbox
      open
      close={() => onClose(seen.current)}
      index={shown}
      on={{
        view: ({ index }) => {
          seen.current = index;
        },
      }}
      slides={images}
      plugins={[Zoom]}
      carousel={{ finite: true, padding: 0 }}
      controller={{ closeOnBackdropClick: true }}
      zoom={{ maxZoomPixelRatio: 3, scrollToZoom: true }}
      labels={{ Lightbox: 'Full screen', 'Photo gallery': 'Images' }}
      {...(!several && { render: { buttonPrev: () => null, buttonNext: () => null } })}
    />
  );
}
