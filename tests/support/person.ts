/** What a person does in a browser test: counted, with the time that it takes by the keystroke-level model. */

import { loadavg } from 'node:os';
import type { Locator } from 'playwright-core';
import { machineFactor } from './machine.ts';

/**
 * Seconds of the keystroke-level model (Card, Moran and Newell, 1980): a key of an average typist, pointing at something and
 * clicking on it, and what precedes each decision.
 */
const seconds = { key: 0.28, pointing: 1.1, decision: 1.35 };

/** What was done so far. */
interface Effort {
  /** Places that were pointed at and clicked or tapped, outside of the file dialog. */
  clicks: number;
  /** The same in programs other than the browser's page: the file dialog, the mail program. */
  clicksElsewhere: number;
  keys: number;
  /** Times at which the person had to find out what to do next. */
  decisions: number;
}

/** The seconds of a person for an effort, without and with the decisions. */
function personSeconds({ clicks, clicksElsewhere, keys, decisions }: Effort): {
  motor: number;
  withDecisions: number;
} {
  const motor = (clicks + clicksElsewhere) * seconds.pointing + keys * seconds.key;
  return { motor, withDecisions: motor + decisions * seconds.decision };
}

/** Counts what a person does, from the moment it is made. */
export interface Person {
  readonly effort: Effort;
  /** Clicks. */
  click(target: Locator): Promise<void>;
  /** Goes to a field and types. */
  type(target: Locator, text: string): Promise<void>;
  /** Counts what happens in another program: the mail is opened, or a file is chosen in the system's dialog. */
  elsewhere(clicks: number): void;
  /** Counts an action in a page that is not Playwright's. @param keys typed, or 0 for a click alone */
  count(keys: number): void;
  /** Prints effort and times as a line for docs/measured.md. */
  print(what: string): void;
}

/** A person who begins now. */
export function createPerson(): Person {
  const began = performance.now();
  const effort: Effort = { clicks: 0, clicksElsewhere: 0, keys: 0, decisions: 0 };
  const count = (keys: number) => {
    effort.clicks += 1;
    effort.keys += keys;
    effort.decisions += 1;
  };
  return {
    effort,
    count,
    click: async (target) => {
      count(0);
      await target.click();
    },
    type: async (target, text) => {
      count(text.length);
      await target.fill(text);
    },
    elsewhere: (clicks) => {
      effort.clicksElsewhere += clicks;
      effort.decisions += 1;
    },
    print: (what) => {
      const machine = (performance.now() - began) / 1_000;
      const { motor, withDecisions } = personSeconds(effort);
      const { clicks, clicksElsewhere, keys, decisions } = effort;
      console.log(
        `${what}: ${clicks} clicks, ${clicksElsewhere} in other programs, ${keys} keys, ${decisions} decisions; ` +
          `person ${motor.toFixed(1)} s (${withDecisions.toFixed(1)} s with decisions), machine ${machine.toFixed(1)} s, ` +
          `together ${(motor + machine).toFixed(1)} s (${(withDecisions + machine).toFixed(1)} s); ` +
          `load ${loadavg()[0]!.toFixed(1)}, machine factor ${machineFactor()}`,
      );
    },
  };
}
