const key = 'packshot-visitor-photo';

/** Whether this browser may keep the photo of a visitor (visitor-photo.ts): without one its code is not loaded. */
export function mayHaveVisitorPhoto(): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

/** @throws DOMException if storage is blocked or full */
export function setVisitorPhotoFlag(isKept: boolean): void {
  if (isKept) localStorage.setItem(key, '1');
  else localStorage.removeItem(key);
}
