import {
  type CommandFailedEvent,
  type CommandStartedEvent,
  type CommandSucceededEvent,
  type Document,
  MongoClient,
  type MongoClientOptions,
} from 'mongodb';
import { CannotRun } from './requirements.ts';

/** A command event with its name in the test format. */
export interface ObservedEvent {
  name: string;
  event: CommandStartedEvent | CommandSucceededEvent | CommandFailedEvent;
}

/** Events that a test can observe. The driver omits the suffix, and says `connectionPool` for `pool`. */
const EVENTS =
  /^(command(Started|Succeeded|Failed)|connection(Created|Ready|Closed|CheckedOut|CheckedIn)|pool(Created|Ready|Cleared|Closed))Event$/;

/** Commands with secrets, whose content the driver hides; only tests that request it observe them. */
const SENSITIVE = new Set(
  ['authenticate', 'saslStart', 'saslContinue', 'getnonce', 'createUser', 'updateUser'].concat([
    'copydbgetnonce',
    'copydbsaslstart',
    'copydb',
  ]),
);
const GREETINGS = new Set(['hello', 'isMaster', 'ismaster']);

/** The clients, databases, collections, sessions and cursors of a test, by name. */
export class Entities {
  readonly #url: string;
  readonly #byName = new Map<string, unknown>();
  readonly #events = new Map<string, ObservedEvent[]>();
  readonly #checkedOut = new Map<string, number>();

  constructor(url: string) {
    this.#url = url;
  }

  /** Creates the entities of a `createEntities` list. @throws CannotRun for unsupported kinds */
  create(descriptions: Document[]): void {
    for (const description of descriptions) {
      const [kind, options] = Object.entries(description)[0] as [string, Document];
      if (kind === 'client') this.#createClient(options);
      else if (kind === 'database') {
        const client = this.get<MongoClient>(options.client);
        this.set(options.id, client.db(options.databaseName, options.databaseOptions));
      } else if (kind === 'collection') {
        const database = this.get<ReturnType<MongoClient['db']>>(options.database);
        this.set(options.id, database.collection(options.collectionName, options.collectionOptions));
      } else if (kind === 'session') {
        this.set(options.id, this.get<MongoClient>(options.client).startSession(options.sessionOptions));
      } else {
        throw new CannotRun(`entities of the kind "${kind}"`);
      }
    }
  }

  #createClient(options: Document): void {
    const settings: MongoClientOptions = { ...options.uriOptions, monitorCommands: true };
    if (options.serverApi) settings.serverApi = options.serverApi;
    const client = new MongoClient(this.#url, settings);
    const observed: ObservedEvent[] = [];
    const ignored = new Set<string>(options.ignoreCommandMonitoringEvents ?? []);
    for (const name of options.observeEvents ?? []) {
      if (!EVENTS.test(name)) throw new CannotRun(`events of the kind "${name}"`);
      const driverName = name.replace(/^pool/, 'connectionPool').replace(/Event$/, '');
      client.on(driverName as 'commandStarted', (event: CommandStartedEvent) => {
        const hidden = isSensitive(event) && !options.observeSensitiveCommands;
        if (!hidden && !ignored.has(event.commandName)) observed.push({ name, event });
      });
    }
    this.#checkedOut.set(options.id, 0);
    const checked = (change: number) => () =>
      this.#checkedOut.set(options.id, this.#checkedOut.get(options.id)! + change);
    client.on('connectionCheckedOut', checked(1)).on('connectionCheckedIn', checked(-1));
    this.#events.set(options.id, observed);
    this.set(options.id, client);
  }

  /** The entity with this name. @throws when the test has not created one */
  get<T>(name: string): T {
    if (!this.#byName.has(name)) throw new Error(`the test has no entity "${name}"`);
    return this.#byName.get(name) as T;
  }

  /** Stores an entity, or a saved result, under a name. */
  set(name: string, entity: unknown): void {
    this.#byName.set(name, entity);
  }

  /** The events of a client so far, in order: of its commands or (`cmap`) of its connections. */
  events(client: string, kind: 'command' | 'cmap' = 'command'): ObservedEvent[] {
    const all = this.#events.get(client) ?? [];
    return all.filter(({ name }) => name.startsWith('command') === (kind === 'command'));
  }

  /** How many connections a client is using. */
  connectionsCheckedOut(client: string): number {
    const count = this.#checkedOut.get(client);
    if (count === undefined) throw new Error(`the test has no client "${client}"`);
    return count;
  }

  /** Closes all clients, with their sessions and cursors. */
  async close(): Promise<void> {
    for (const name of this.#events.keys()) await this.get<MongoClient>(name).close();
  }
}

/** A `hello` that authenticates contains secrets too; the driver removes its content. */
function isSensitive(event: ObservedEvent['event']): boolean {
  if (SENSITIVE.has(event.commandName)) return true;
  if (!GREETINGS.has(event.commandName)) return false;
  const content =
    'command' in event ? event.command : 'reply' in event ? (event.reply as Document) : undefined;
  return content !== undefined && Object.keys(content).length === 0;
}
