// Finds out whether this browser is older than those of shared/contract/oldest-browsers.ts: it lacks a function or a style that
// all of them have. The syntax is that of 2015, so that such browsers can read this file.
{
  const reads = (pattern) => {
    try {
      return Boolean(new RegExp(pattern));
    } catch (_) {
      return false;
    }
  };
  const isNewEnough =
    'with' in Array.prototype &&
    reads('(?<=a)b') &&
    CSS.supports('color', 'color-mix(in oklab, red, blue)') &&
    CSS.supports('selector(:has(a))');
  if (!isNewEnough) {
    document.documentElement.dataset.tooOld = '';
    const notice = document.createElement('script');
    notice.src = '/too-old.js';
    document.head.append(notice);
  }
}
