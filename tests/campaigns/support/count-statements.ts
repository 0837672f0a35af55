/**
 * Writes down each statement of this process on MongoDB and on the queue's store, one line each: `mongo find generations`,
 * `queue relay_publish`. Called before a program, by a module of `node --import`.
 */
import { openSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import mongoose from 'mongoose';

/** @param folder of the file that the lines are added to; its name is the process id */
export function countStatements(folder: string): void {
  const lines = openSync(join(folder, String(process.pid)), 'a');
  const count = (store: 'mongo' | 'queue', statement: string) => writeSync(lines, `${store} ${statement}\n`);

  const connect = mongoose.createConnection.bind(mongoose);
  mongoose.createConnection = ((url: string, options: mongoose.ConnectOptions) => {
    const connection = connect(url, { ...options, monitorCommands: true });
    connection.asPromise().then(
      () =>
        connection
          .getClient()
          .on('commandStarted', ({ commandName, command }) =>
            count('mongo', `${commandName} ${command[commandName]}`),
          ),
      () => {},
    );
    return connection;
  }) as typeof mongoose.createConnection;

  // As BullMQ loads it.
  const { Client } = createRequire(import.meta.resolve('bullmq'))('pg') as { Client: { prototype: Sender } };
  wrap(Client.prototype, 'query', ([sent]) => {
    const text = typeof sent === 'string' ? sent : (sent as { text: string }).text;
    // Names of BullMQ's functions; in other statements the first words tell enough.
    count(
      'queue',
      /\w*(?:bullmq|relay)_\w+/.exec(text)?.[0] ?? text.trim().replace(/\s+/g, ' ').slice(0, 60),
    );
  });
  wrap(Redis.prototype as unknown as Sender, 'sendCommand', ([command]) =>
    count('queue', (command as { name: string }).name),
  );
}

type Sender = Record<string, (this: unknown, ...given: unknown[]) => unknown>;

function wrap(sender: Sender, name: string, before: (given: unknown[]) => void): void {
  const send = sender[name]!;
  sender[name] = function (...given) {
    before(given);
    return send.apply(this, given);
  };
}
