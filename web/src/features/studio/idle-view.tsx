import { FileImage, ImagePlus, Sparkles } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import type { Photo } from './photos.ts';
import { type OnSample, SampleProducts } from './sample-products.tsx';

interface EmptyViewProps {
  onAdd: () => void;
  onSample: OnSample;
  /** Files are being dragged over the page. */
  dragging: boolean;
}

/** No photos yet. */
export function EmptyView({ onAdd, onSample, dragging }: EmptyViewProps) {
  return (
    <div className="sweep mx-auto grid min-h-[min(34rem,60dvh)] w-full max-w-3xl place-items-center rounded-card">
      <div className="grid max-w-sm justify-items-center gap-4 px-2 py-6 text-center sm:px-6">
        <span className="grid size-16 place-items-center rounded-full bg-surface shadow-card">
          <ImagePlus aria-hidden className="size-7 text-accent" strokeWidth={1.75} />
        </span>
        <p className="text-lg font-semibold">
          {dragging ? 'Drop your photos here' : 'Upload product images'}
        </p>
        <p className="text-ink-soft">
          One to four photos of your product are all it takes. Then describe the setting.
        </p>
        <Button variant="secondary" onClick={onAdd}>
          Choose photos
        </Button>
        <SampleProducts onSample={onSample} />
      </div>
    </div>
  );
}

interface ReadyViewProps {
  photo: Photo;
  /** Null while the plan allows no image. */
  onGenerate: (() => void) | null;
}

/** Ready to generate: the first photo, dimmed, with the button. */
export function ReadyView({ photo, onGenerate }: ReadyViewProps) {
  const [brokenPreview, setBrokenPreview] = useState<string | null>(null);
  return (
    <div className="sweep relative grid stage-frame place-items-center overflow-hidden">
      {photo.preview && photo.preview !== brokenPreview ? (
        <img
          src={photo.preview}
          alt=""
          onError={() => setBrokenPreview(photo.preview)}
          className="absolute inset-0 size-full object-contain opacity-35"
        />
      ) : (
        <FileImage aria-hidden className="absolute size-1/2 text-line-strong opacity-40" strokeWidth={0.75} />
      )}
      <div className="relative grid justify-items-center gap-4 rounded-card bg-veil px-8 py-7 text-center shadow-card backdrop-blur-sm">
        <p className="text-xl font-semibold tracking-tight">Ready to Generate</p>
        {onGenerate && (
          <Button onClick={onGenerate}>
            <Sparkles aria-hidden className="size-4.5" />
            Generate Now
          </Button>
        )}
      </div>
    </div>
  );
}
