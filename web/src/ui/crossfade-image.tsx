import clsx from 'clsx';
import { useEffect, useState } from 'react';

interface Layer {
  url: string;
  state: 'loading' | 'arriving' | 'still';
}

interface CrossfadeImageProps {
  url: string;
  alt: string;
  /** A picture that is on the screen already and that the first one comes over. */
  from?: string | null;
  className?: string;
}

/**
 * Shows a picture; when its address changes the new one comes into focus over the old one, which leaves once the
 * new one is there.
 */
export function CrossfadeImage({ url, alt, from, className }: CrossfadeImageProps) {
  const [layers, setLayers] = useState<Layer[]>([
    ...(from ? [{ url: from, state: 'still' as const }] : []),
    { url, state: 'loading' },
  ]);

  useEffect(() => {
    setLayers((held) => {
      if (held.at(-1)?.url === url) return held;
      // What has not arrived by now is passed over.
      return [...held.filter(({ state }) => state !== 'loading').slice(-1), { url, state: 'loading' }];
    });
  }, [url]);

  const change = (changedUrl: string, state: Layer['state']) =>
    setLayers((held) => held.map((layer) => (layer.url === changedUrl ? { ...layer, state } : layer)));
  const settle = (settledUrl: string) => {
    change(settledUrl, 'still');
    setLayers((held) => (held.at(-1)?.url === settledUrl ? held.slice(-1) : held));
  };

  return (
    <div className={clsx('relative overflow-hidden', className)}>
      {layers.map(({ url: layerUrl, state }, index) => (
        <img
          key={layerUrl}
          src={layerUrl}
          alt={index === layers.length - 1 ? alt : ''}
          onLoad={() => state === 'loading' && change(layerUrl, 'arriving')}
          // What cannot be loaded is shown as its words; a preview without words leaves the one before it.
          onError={() => alt !== '' && settle(layerUrl)}
          onAnimationEnd={() => settle(layerUrl)}
          className={clsx(
            'absolute inset-0 size-full object-contain',
            state === 'loading' && 'opacity-0',
            state === 'arriving' && 'animate-sharpen',
          )}
        />
      ))}
    </div>
  );
}
