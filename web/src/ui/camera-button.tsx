import type { ReactNode } from 'react';
import { FileInput } from './field.tsx';

interface CameraButtonProps {
  /** @param files the photo that was taken */
  onTaken: (files: File[]) => void;
  className: string;
  children: ReactNode;
}

/** Takes a photo with the camera at the back of a phone or tablet. Where a mouse is used, it is not there. */
export function CameraButton({ onTaken, className, children }: CameraButtonProps) {
  return (
    <label
      className={`relative hidden cursor-pointer has-focus-visible:outline-[2.5px] has-focus-visible:outline-offset-2 has-focus-visible:outline-accent pointer-coarse:inline-flex ${className}`}
    >
      <FileInput accept="image/*" capture="environment" onFiles={onTaken} className="sr-only" />
      {children}
    </label>
  );
}
