import type { Output } from 'dependency-watchdog/adapters/output/bounded-lines.ts';
import type { Agenda } from '@dwd/simulator/store/agenda.ts';

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

  /** As one process sees it: `deliver` brings it the answers. `writeNow` is what the kernel does for a descriptor that blocks: the port has none. */
  as(
    deliver: (task: () => void) => void,
    standStill: (until: (over: () => void) => void) => void,
  ): Blocking<Output, Buffer> {
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
      writeNow: () => {
        if (this.#trouble === 'standing still') standStill((over) => this.#held.push(over));
      },
    };
  }
}

/**
 * A port of the host, and beyond it the call of the kernel that blocks. The program cannot make that call by its port's type. A slip does, as the program
 * once did with Node's `writeSync`, and then the process stands still for as long as the host.
 */
export type Blocking<Port, Given> = Port & Readonly<{ writeNow(given: Given): void }>;
