import clsx from 'clsx';
import { useEffect, useState } from 'react';

interface Layer {
  url: string;
  state: 'loading' | 'fading-in' | 'shown';
}

interface CrossfadeImageProps {
  url: string;
  alt: string;
  /** An image that is already on the screen; the first image fades in over it. */
  initialUrl?: string | null;
  className?: string;
}

/** An image; when its URL changes, the new one fades in over the old one, which is then removed. */
export function CrossfadeImage({ url, alt, initialUrl, className }: CrossfadeImageProps) {
  const [layers, setLayers] = useState<Layer[]>([
    ...(initialUrl ? [{ url: initialUrl, state: 'shown' as const }] : []),
    { url, state: 'loading' },
  ]);

  useEffect(() => {
    setLayers((current) => {
      if (current.at(-1)?.url === url) return current;
      // An image that is still loading is skipped.
      return [...current.filter(({ state }) => state !== 'loading').slice(-1), { url, state: 'loading' }];
    });
  }, [url]);

  const setState = (changedUrl: string, state: Layer['state']) =>
    setLayers((current) => current.map((layer) => (layer.url === changedUrl ? { ...layer, state } : layer)));
  const show = (shownUrl: string) => {
    setState(shownUrl, 'shown');
    setLayers((current) => (current.at(-1)?.url === shownUrl ? current.slice(-1) : current));
  };

  return (
    <div className={clsx('relative overflow-hidden', className)}>
      {layers.map(({ url: layerUrl, state }, index) => (
        <img
          key={layerUrl}
          src={layerUrl}
          alt={index === layers.length - 1 ? alt : ''}
          onLoad={() => state === 'loading' && setState(layerUrl, 'fading-in')}
          // An image that fails to load is shown as its alt text; without one, the previous image stays.
          onError={() => alt !== '' && show(layerUrl)}
          onAnimationEnd={() => show(layerUrl)}
          className={clsx(
            'absolute inset-0 size-full object-contain',
            state === 'loading' && 'opacity-0',
            state === 'fading-in' && 'animate-sharpen',
          )}
        />
      ))}
    </div>
  );
}
