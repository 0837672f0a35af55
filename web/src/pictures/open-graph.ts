import defaultCard from './open-graph/default.jpg?url';
import guidesCard from './open-graph/guides.jpg?url';

/** A card that other sites show beside a link; its size in pixels. */
interface OpenGraphCard {
  /** Address on this site. Open Graph needs it with the site's origin before it. */
  url: string;
  width: number;
  height: number;
  alt: string;
}

const size = { width: 1200, height: 630 };

/** The cards: one for guides and blog posts, one for all other pages. */
export const openGraphCards: Readonly<Record<'default' | 'guides', OpenGraphCard>> = {
  default: {
    ...size,
    url: defaultCard,
    alt: 'Packshot: studio images of your products. Four examples: a mug, a vase, soap and a candle',
  },
  guides: {
    ...size,
    url: guidesCard,
    alt: 'Packshot: studio images of your products. An example: a pump bottle on white marble',
  },
};
