/** The commands of the API guide, run as they are written there. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { expect } from 'vitest';
import { limits } from '#contract';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { testPassword } from '#tests/support/seller.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack();

/** Whether this machine has the programs that the guide uses. */
function hasPrograms(): boolean {
  try {
    execFileSync('bash', ['-c', 'command -v curl jq'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The shell commands of the guide, with an address and an account that exist. */
async function commandsFor(url: string, email: string): Promise<string> {
  const guide = await readFile(join(rootFolder, 'web/src/content/guides/api.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!);
  expect(blocks).toHaveLength(guide.split('```sh').length - 1);
  return blocks
    .join('\n')
    .replace('https://packshot.example', url)
    .replace('you@shop.example', email)
    .replaceAll('your password', testPassword);
}

test.skipIf(!hasPrograms())('the commands of the API guide work', async ({ stack }) => {
  const seller = await stack.seller();
  const folder = await mkdtemp(join(tmpdir(), 'packshot-guide-'));
  try {
    for (const name of ['front.jpg', 'back.jpg']) await writeFile(join(folder, name), await samplePhoto());
    const script = `set -euo pipefail\n${await commandsFor(stack.url, seller.email)}\necho "token: $TOKEN"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder });

    expect(stdout).toContain('succeeded\n');
    const files = await readdir(folder);
    const image = files.find((name) => /^Walnut-bowl-\d{4}-\d{2}-\d{2}\.png$/.test(name));
    const { format, width, height } = await sharp(join(folder, image!)).metadata();
    expect([format, width, height]).toEqual(['png', limits.outputWidth, limits.outputHeight]);
    expect((await readFile(join(folder, 'export.zip'))).toString('latin1', 0, 2)).toBe('PK');

    const [generation] = await seller.generations();
    expect(generation).toMatchObject({
      state: 'succeeded',
      productName: 'Walnut bowl, large',
      favourite: true,
    });
    expect(generation!.photos).toHaveLength(2);
    expect(generation!.edits).toMatchObject({
      width,
      height: Math.round(0.8 * height),
      recipe: { whiteBackground: true },
    });
    // The last command signs out.
    const [, token] = /token: (\S+)/.exec(stdout)!;
    const reply = await fetch(`${stack.url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(reply.status).toBe(401);
  } finally {
    await rm(folder, { recursive: true });
  }
});
