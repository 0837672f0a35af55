import type { PictureSource } from '#web/ui/picture.tsx';

/** What `npm run campaign -- samples` writes about a picture beside its files. */
interface PictureInfo {
  alt: string;
  /** Size of the largest file in pixels. */
  width: number;
  height: number;
  /** The scene description from which the picture was made; missing if it is a photo. */
  scene?: string;
}

/** A picture with its text alternative. */
export interface SitePicture extends PictureSource {
  name: string;
  /** What the picture shows. */
  alt: string;
  /** The scene description from which Packshot made the picture; undefined if it is a photo. */
  scene: string | undefined;
}

/**
 * The pictures of one folder, by name.
 * @param infos the folder's `pictures.json`
 * @param files the addresses of the folder's files by path, such as `./hero/mug-640.avif`. All but a few browsers show AVIF: of a
 *   group whose addresses every visit loads, WebP has one width
 * @throws Error when a picture has no files: `npm run campaign -- samples` was not run after a change
 */
export function pictureGroup<Name extends string>(
  infos: Readonly<Record<Name, PictureInfo>>,
  files: Readonly<Record<string, string>>,
): Record<Name, SitePicture> {
  const byName = new Map<string, Variant[]>();
  for (const [path, url] of Object.entries(files)) {
    const parts = /([^/]+)-(\d+)\.(avif|webp)$/.exec(path);
    if (parts === null) continue;
    const [, name, width, format] = parts as unknown as [string, string, string, 'avif' | 'webp'];
    byName.set(name, [...(byName.get(name) ?? []), { url, width: Number(width), format }]);
  }
  const pictures = Object.entries<PictureInfo>(infos).map(([name, info]): [string, SitePicture] => {
    const variants = (byName.get(name) ?? []).sort((a, b) => a.width - b.width);
    const src = variants.findLast(({ format }) => format === 'webp')?.url;
    if (src === undefined)
      throw new Error(`The picture ${name} has no files; run npm run campaign -- samples`);
    const { alt, width, height, scene } = info;
    const [avif, webp] = [srcSet(variants, 'avif'), srcSet(variants, 'webp')];
    return [name, { name, alt, scene, width, height, avif, webp, src }];
  });
  return Object.fromEntries(pictures) as Record<Name, SitePicture>;
}

interface Variant {
  url: string;
  width: number;
  format: 'avif' | 'webp';
}

function srcSet(variants: Variant[], wanted: Variant['format']): string {
  return variants
    .filter(({ format }) => format === wanted)
    .map(({ url, width }) => `${url} ${width}w`)
    .join(', ');
}
