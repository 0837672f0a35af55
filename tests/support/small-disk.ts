/** A small disk of its own for a folder, which can be full without any other program noticing. */
import { execFile } from 'node:child_process';
import { mkdir, statfs } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface SmallDisk {
  /** Leaves this many free bytes, rounded up to a whole page; 0 for a full disk. What is on the disk stays. */
  leaveFree(bytes: number): Promise<void>;
  /** Makes it as large as it was at first. */
  restore(): Promise<void>;
  /** Whatever is on it is lost. */
  unmount(): Promise<void>;
}

/** No disk could be mounted; the message says why. */
export class NotMounted extends Error {
  override name = 'NotMounted';
}

/**
 * Mounts an empty disk on a folder, which is made if it is missing. It takes memory only for what is stored on it.
 * @param megabytes its size
 * @throws NotMounted where this is not allowed
 */
export async function mountSmallDisk(folder: string, megabytes: number): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true });
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'packshot', folder]).catch((error) => {
    const [reason] = String(error.stderr || error.message).split('\n');
    throw new NotMounted(`a small disk cannot be mounted (this usually needs root): ${reason}`);
  });
  const resize = (size: string) => run('mount', ['-o', `remount,size=${size}`, folder]);
  return {
    async leaveFree(bytes) {
      for (let left = tries; ; left -= 1) {
        const { blocks, bfree, bsize } = await statfs(folder);
        try {
          await resize(String((blocks - bfree) * bsize + bytes));
          return;
        } catch (error) {
          // A program has stored more meanwhile, and no disk can be smaller than what is on it.
          if (left === 1) throw error;
        }
      }
    },
    restore: async () => void (await resize(`${megabytes}m`)),
    unmount: async () => void (await run('umount', ['--lazy', folder])),
  };
}

const tries = 50;
