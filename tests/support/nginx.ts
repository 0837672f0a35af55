/** Debian's nginx with the example of deploy/nginx, for tests of servers behind a proxy. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startWatchedProgram } from '#local/parent-watchdog.ts';
import { readInCheckout } from './checkout.ts';
import { findFreePort } from './free-port.ts';
import { temporaryFolder } from './local-stores.ts';

const run = promisify(execFile);

const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin' };

export interface Nginx {
  url: string;
  /** Has these servers answer, by turns, from the next request on. */
  passTo(...servers: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Whether nginx is installed. */
export async function hasNginx(): Promise<boolean> {
  return run('nginx', ['-v'], { env }).then(
    () => true,
    () => false,
  );
}

/** Starts nginx on a free port, in front of servers, without TLS. */
export async function startNginx(...servers: readonly string[]): Promise<Nginx> {
  return start(servers, await findFreePort());
}

/**
 * Starts nginx with TLS, in front of servers.
 * @param certificates a folder with `fullchain.pem` and `privkey.pem`
 */
export function startTlsNginx(
  servers: readonly string[],
  port: number,
  certificates: string,
): Promise<Nginx> {
  return start(servers, port, certificates);
}

async function start(servers: readonly string[], port: number, certificates?: string): Promise<Nginx> {
  const folder = await temporaryFolder('nginx');
  const file = join(folder, 'nginx.conf');
  const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join('\n  ');
  /** Each configuration has a port of its own besides: when it answers, no worker with the one before takes requests. */
  const writeConfig = (to: readonly string[], markerPort: number) =>
    writeFile(
      file,
      `daemon off;
error_log stderr notice;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  ${temporaryPaths}
  ${exampleFor(to, port, certificates)}
  server { listen 127.0.0.1:${markerPort}; }
}
`,
    );
  const command = ['nginx', '-c', file];
  await writeConfig(servers, await findFreePort());
  const program = await startWatchedProgram({
    command,
    env,
    isReady: (line) => line.includes('start worker processes'),
  });
  return {
    url: `${certificates === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    async passTo(...to) {
      const markerPort = await findFreePort();
      await writeConfig(to, markerPort);
      await run(command[0]!, [...command.slice(1), '-s', 'reload'], { env });
      while (!(await isOpen(markerPort)));
    },
    async close() {
      await program.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The example that is shipped, for these servers, on a port of this machine; without TLS unless there are certificates. */
function exampleFor(servers: readonly string[], port: number, certificates: string | undefined): string {
  let example = readInCheckout('deploy/nginx/packshot.conf');
  const replace = (pattern: RegExp, text: string) => {
    if (!pattern.test(example)) throw new Error(`deploy/nginx/packshot.conf has no ${pattern}`);
    example = example.replace(pattern, text);
  };
  // Redirects to https.
  replace(/^server \{\n {2}listen 80;[^}]*\}\n/m, '');
  replace(/^ {2}listen \[::\]:443 .*\n/m, '');
  if (certificates === undefined) {
    replace(/^ {2}listen 443 ssl http2;$/m, `  listen 127.0.0.1:${port};`);
    replace(/^ {2}ssl_.*\n/gm, '');
  } else {
    replace(/^ {2}listen 443 ssl http2;$/m, `  listen 127.0.0.1:${port} ssl http2;`);
    replace(/\/etc\/letsencrypt\/live\/packshot\.example/g, certificates);
  }
  replace(
    /^ {2}server 127\.0\.0\.1:3000( .*);$/gm,
    servers.map((url) => `  server ${new URL(url).host}$1;`).join('\n'),
  );
  return example;
}

async function isOpen(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
