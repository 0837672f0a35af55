import clsx from 'clsx';
import { useEffect, useState } from 'react';

interface Layer {
  url: string;
  loaded: boolean;
}

/**
 * Shows a picture; when its address changes the new one comes into focus over the old one, which leaves once the
 * new one is there.
 */
export function CrossfadeImage({ url, alt, className }: { url: string; alt: string; className?: string }) {
  const [layers, setLayers] = useState<Layer[]>([{ url, loaded: false }]);

  useEffect(() => {
    setLayers((held) => {
      if (held.at(-1)?.url === url) return held;
      // What has not arrived by now is passed over.
      return [...held.filter((layer) => layer.loaded).slice(-1), { url, loaded: false }];
    });
  }, [url]);

  const arrived = (arrivedUrl: string) =>
    setLayers((held) => held.map((layer) => (layer.url === arrivedUrl ? { ...layer, loaded: true } : layer)));
  const settled = (settledUrl: string) =>
    setLayers((held) => (held.at(-1)?.url === settledUrl ? held.slice(-1) : held));

  return (
    <div className={clsx('relative overflow-hidden', className)}>
      {layers.map((layer, index) => (
        <img
          key={layer.url}
          src={layer.url}
          alt={index === layers.length - 1 ? alt : ''}
          onLoad={() => arrived(layer.url)}
          onAnimationEnd={() => settled(layer.url)}
          className={clsx(
            'absolute inset-0 size-full object-contain',
            layer.loaded ? 'animate-sharpen' : 'opacity-0',
          )}
        />
      ))}
    </div>
  );
}
