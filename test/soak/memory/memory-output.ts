import type { Output } from '../../../src/adapters/output/output.ts';
import type { Agenda } from '../../../src/simulator/store/agenda.ts';

/** What stands in the way of lines: a reader that stands still, a full disk, no reader at all. */
export type OutputTrouble = 'standing still' | 'ENOSPC' | 'EPIPE';

/** A standard output, with the lever on it. What it takes is gone. */
export class MemoryOutput {
  readonly #agenda: Agenda;
  #trouble: OutputTrouble | undefined;
  readonly #held: (() => void)[] = [];

  constructor(agenda: Agenda) {
    this.#agenda = agenda;
  }

  set trouble(trouble: OutputTrouble | undefined) {
    this.#trouble = trouble;
    if (trouble !== 'standing still') for (const answer of this.#held.splice(0)) answer();
  }

  /** As one process sees it: `deliver` brings it the answers. */
  as(deliver: (task: () => void) => void): Output {
    return {
      write: (bytes, taken) => {
        const answer = (): void => {
          const error = this.#trouble === undefined ? null : Object.assign(new Error('no'), { code: this.#trouble });
          deliver(() => taken(error, error === null ? bytes.length : 0));
        };
        this.#agenda.after(1, () => {
          if (this.#trouble === 'standing still') this.#held.push(answer);
          else answer();
        });
      },
    };
  }
}
