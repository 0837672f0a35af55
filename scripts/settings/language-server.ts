/** TypeScript's language server, asked over stdin and stdout: where a property is used, and where its type is declared. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rootFolder } from '#shared/platform/root-folder.ts';

/** A place in a file: path in the checkout, line and character from 0. */
export interface Place {
  file: string;
  line: number;
  character: number;
}

interface Location {
  uri: string;
  range: { start: { line: number; character: number } };
}

interface Message {
  id?: number;
  method?: string;
  params?: { items?: unknown[] };
  result?: Location[] | Location | null;
  error?: { message: string };
}

/** A running language server. */
export interface LanguageServer {
  /** Where the symbol at a place is used, besides its declaration. */
  references(place: Place): Promise<Place[]>;
  /** Where the type of the symbol at a place is declared. */
  typeOf(place: Place): Promise<Place[]>;
  close(): void;
}

/** Starts the language server of this checkout. It reads the whole project when it is first asked. */
export async function startLanguageServer(): Promise<LanguageServer> {
  const command = join(rootFolder, 'node_modules/.bin/tsc');
  const server = spawn(command, ['--lsp', '--stdio'], {
    cwd: rootFolder,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map<number, { resolve(message: Message): void; reject(error: Error): void }>();
  const opened = new Set<string>();
  let asked = 0;
  let received = Buffer.alloc(0);
  server.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('The language server has ended.'));
  });
  server.stdout.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    for (let message = takeMessage(); message; message = takeMessage()) handle(message);
  });

  /** The next message, if it has arrived whole. */
  function takeMessage(): Message | undefined {
    const headEnd = received.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const bytes = Number(/Content-Length: (\d+)/i.exec(received.toString('latin1', 0, headEnd))![1]);
    const begin = headEnd + 4;
    if (received.length < begin + bytes) return;
    const text = received.toString('utf8', begin, begin + bytes);
    received = received.subarray(begin + bytes);
    return JSON.parse(text) as Message;
  }

  function handle({ id, method, params, ...reply }: Message): void {
    if (id === undefined) return;
    // What the server asks of an editor: here it has no settings.
    if (method !== undefined) send({ id, result: params?.items?.map(() => null) ?? null });
    else waiting.get(id)!.resolve(reply);
  }

  function send(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  async function ask(method: string, params: object): Promise<Message['result']> {
    asked += 1;
    const id = asked;
    const { error, result } = await new Promise<Message>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      send({ id, method, params });
    });
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  async function placesOf(method: string, { file, ...position }: Place, more = {}): Promise<Place[]> {
    const path = join(rootFolder, file);
    const uri = pathToFileURL(path).href;
    if (!opened.has(uri)) {
      const text = readFileSync(path, 'utf8');
      const textDocument = { uri, languageId: 'typescript', version: 1, text };
      send({ method: 'textDocument/didOpen', params: { textDocument } });
      opened.add(uri);
    }
    const found = await ask(`textDocument/${method}`, { textDocument: { uri }, position, ...more });
    return [found ?? []].flat().map(({ uri: at, range }) => ({
      file: relative(rootFolder, fileURLToPath(at)),
      ...range.start,
    }));
  }

  await ask('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(rootFolder).href,
    capabilities: {},
  });
  send({ method: 'initialized', params: {} });
  return {
    references: (place) => placesOf('references', place, { context: { includeDeclaration: false } }),
    typeOf: (place) => placesOf('typeDefinition', place),
    close: () => server.kill(),
  };
}
