import { useEffect } from 'react';

/** In the browser of an app that may save no files, says so at each download, and what to do. */
export function useDownloadAdvice(): void {
  useEffect(() => {
    if (
      !/Instagram|FBA[NV]|FB_IAB|TikTok|musical_ly|Snapchat|Pinterest|LinkedInApp|MicroMessenger|\bLine\//.test(
        navigator.userAgent,
      )
    )
      return;
    const advise = ({ target }: MouseEvent) => {
      const isDownload = target instanceof Element && target.closest('a[download]') !== null;
      if (isDownload)
        import('./advise-download.ts').then(({ adviseDownload }) => adviseDownload()).catch(() => {});
    };
    document.addEventListener('click', advise);
    return () => document.removeEventListener('click', advise);
  }, []);
}
