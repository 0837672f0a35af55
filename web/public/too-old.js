// Says that this browser is too old (check-browser.js), with its name and those that are new enough: shared/contract/oldest-browsers.ts.
{
  const [, safari] = /Version\/([\d.]+).* Safari/.exec(navigator.userAgent) || [];
  const [, name, version] = /(Firefox|Edg|Chrome)\/(\d+)/.exec(navigator.userAgent) || [];
  const found = safari
    ? `Safari ${safari}`
    : name
      ? `${name.replace('Edg', 'Edge')} ${version}`
      : 'Your browser';
  const show = () => {
    const notice = document.createElement('p');
    notice.setAttribute('role', 'alert');
    notice.textContent = `${found} is too old for Packshot. Please update it, or use Safari 16.4, Chrome 111, Edge 111, Firefox 121 or a newer version.`;
    // The styles of the app may not work.
    Object.assign(notice.style, { margin: '0', padding: '16px', background: '#fde68a', color: '#171512' });
    document.body.prepend(notice);
  };
  if (document.body) show();
  else addEventListener('DOMContentLoaded', show);
}
