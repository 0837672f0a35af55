import type { Page } from 'playwright-core';

/** Lets nobody read a file of this name. @returns a function that lets them, and resolves when it is read */
export async function holdReading(page: Page, name: string): Promise<() => Promise<unknown>> {
  await page.addInitScript(`
    const { arrayBuffer } = Blob.prototype;
    let open;
    const opened = new Promise((resolve) => { open = resolve; });
    let reading;
    window.release = () => { open(); return reading; };
    Blob.prototype.arrayBuffer = function () {
      if (this.name !== '${name}') return arrayBuffer.call(this);
      const bytes = opened.then(() => arrayBuffer.call(this));
      reading = bytes.then(() => undefined);
      return bytes;
    };
  `);
  return () => page.evaluate('release()');
}
