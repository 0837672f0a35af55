import type { Doc } from '../bson/values.ts';
import { isTruthy, type Maybe, toNumber } from '../bson/values.ts';
import { fail } from '../errors.ts';

/** What MongoDB's `failCommand` fail point does to a command. */
export interface InjectedFailure {
  closeConnection: boolean;
  errorCode: number | undefined;
  errorLabels: Maybe;
  writeConcernError: Doc | undefined;
  blockMs: number;
}

interface FailCommand extends InjectedFailure {
  commands: string[];
  appName: Maybe;
  /** How many commands are skipped first, and how many then fail. */
  skip: number;
  times: number;
}

/** The fail points set by `configureFailPoint`. */
export class FailPoints {
  #failCommand: FailCommand | undefined;

  /** Sets or clears `failCommand`. @throws InternalError for other fail points */
  configure(command: Doc): void {
    const name = command.get('configureFailPoint');
    if (name !== 'failCommand') fail(51006, `fail point not found: ${String(name as string)}`);
    const mode = command.get('mode');
    if (mode === 'off') {
      this.#failCommand = undefined;
      return;
    }
    const data = command.get('data');
    if (!(data instanceof Map)) fail('BadValue', 'data is required for failCommand');
    const number = (from: Maybe, field: string) =>
      from instanceof Map && from.has(field) ? toNumber(from.get(field)) : undefined;
    const concern = data.get('writeConcernError');
    const commands = data.get('failCommands');
    this.#failCommand = {
      commands: Array.isArray(commands) ? commands.filter((each) => typeof each === 'string') : [],
      appName: data.get('appName'),
      closeConnection: isTruthy(data.get('closeConnection')),
      errorCode: number(data, 'errorCode'),
      errorLabels: data.get('errorLabels'),
      writeConcernError: concern instanceof Map ? concern : undefined,
      blockMs: isTruthy(data.get('blockConnection')) ? (number(data, 'blockTimeMS') ?? 0) : 0,
      skip: number(mode, 'skip') ?? 0,
      times: number(mode, 'times') ?? Number.POSITIVE_INFINITY,
    };
  }

  /** The failure of a command; undefined when it should not fail. */
  nextFailure(command: string, appName: string | undefined): InjectedFailure | undefined {
    const planned = this.#failCommand;
    if (!planned?.commands.includes(command)) return undefined;
    if (planned.appName !== undefined && planned.appName !== appName) return undefined;
    if (planned.skip > 0) {
      planned.skip--;
      return undefined;
    }
    if (--planned.times <= 0) this.#failCommand = undefined;
    return planned;
  }
}
