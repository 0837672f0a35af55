import { useEffect } from 'react';
import { toast } from 'sonner';

/** Names that apps whose own browser saves no files have in its user agent, and what people call the apps. */
const apps: readonly [pattern: RegExp, name: string][] = [
  [/Instagram/, 'Instagram'],
  [/FBA[NV]|FB_IAB/, 'Facebook'],
  [/TikTok|musical_ly|BytedanceWebview/i, 'TikTok'],
  [/Snapchat/, 'Snapchat'],
  [/Pinterest/, 'Pinterest'],
  [/LinkedInApp/, 'LinkedIn'],
  [/MicroMessenger/, 'WeChat'],
  [/\bLine\//, 'LINE'],
];

/** In the browser of such an app, says at each download that nothing may be saved, and what to do. */
export function useDownloadAdvice(): void {
  useEffect(() => {
    const [, name] = apps.find(([pattern]) => pattern.test(navigator.userAgent)) ?? [];
    if (name === undefined) return;
    const advise = ({ target }: MouseEvent) => {
      if (!(target instanceof Element) || !target.closest('a[download]')) return;
      const text = `${name} may not save files. Open this page in your browser: choose “Open in browser” from the menu of ${name}.`;
      toast.info(text, { id: text, duration: Number.POSITIVE_INFINITY, closeButton: true });
    };
    document.addEventListener('click', advise);
    return () => document.removeEventListener('click', advise);
  }, []);
}
