/** The files of one picture: the same picture in two formats and several widths. */
export interface PictureSource {
  /** Size of the largest file in pixels; its shape reserves the space before the picture has loaded. */
  width: number;
  height: number;
  /** A `srcset` of AVIF files. */
  avif: string;
  /** A `srcset` of WebP files. */
  webp: string;
  /** The file for browsers that know neither `srcset` nor AVIF. */
  src: string;
}

interface PictureProps {
  picture: PictureSource;
  /** What the picture shows; empty when the text beside it says so already. */
  alt: string;
  /** How wide the picture is shown, as in the `sizes` of `<img>`, such as `(min-width: 64rem) 50vw, 100vw`. */
  sizes: string;
  className?: string | undefined;
  /** `eager` for what is visible at once. */
  loading?: 'lazy' | 'eager';
  fetchPriority?: 'high' | 'low' | 'auto';
  /** It cannot be loaded. */
  onError?: () => void;
}

/** A picture of the site, in the smallest format and size that the browser can use. */
export function Picture({
  picture,
  alt,
  sizes,
  className,
  loading = 'lazy',
  fetchPriority = 'auto',
  onError,
}: PictureProps) {
  return (
    <picture className="contents">
      <source type="image/avif" srcSet={picture.avif} sizes={sizes} />
      <source type="image/webp" srcSet={picture.webp} sizes={sizes} />
      {/* React sets attributes in this order. With `src` before `loading`, Firefox would load at once. */}
      <img
        width={picture.width}
        height={picture.height}
        loading={loading}
        decoding="async"
        fetchPriority={fetchPriority}
        src={picture.src}
        alt={alt}
        onError={onError}
        className={className}
      />
    </picture>
  );
}
