import type { Instant, Millis } from '../../../domain/time.ts';
import { fileErrorWords } from '../../words/errno-words.ts';
import { counted, seconds } from '../../words/plain-words.ts';

/** Since when something lasts, and how many turns it has cost by now. */
type Lasting = Readonly<{ since: Instant; turns: number }>;

export type JournalTroubleOptions = Readonly<{
  dir: string;
  now: () => Instant;
  /** How long to leave the directory alone after a failure. */
  retryPause: Millis;
  say: (level: 'info' | 'error', message: string) => void;
}>;

/** What stands between the journal and its directory; each trouble is said when it begins and when it ends, with what it cost. */
export class JournalTrouble {
  readonly #options: JournalTroubleOptions;
  #failing: (Lasting & Readonly<{ retryAt: Instant }>) | undefined;
  #lagging: Lasting | undefined;

  constructor(options: JournalTroubleOptions) {
    this.#options = options;
  }

  /** Nothing has failed, or long enough ago. */
  get mayTry(): boolean {
    return this.#failing === undefined || this.#options.now() >= this.#failing.retryAt;
  }

  /** The directory cannot be written. */
  failed(error: unknown): void {
    const { dir, now, retryPause, say } = this.#options;
    if (this.#failing === undefined) {
      const again = `It is kept in memory only, and the directory is tried again every ${retryPause / 1_000} s.`;
      say('error', `the journal cannot be written to ${dir}: ${fileErrorWords(error)}. ${again}`);
    }
    this.#failing = { since: now(), turns: 0, ...this.#failing, retryAt: now() + retryPause };
  }

  /** So many turns were left out because of that. */
  lost(turns: number): void {
    if (this.#failing !== undefined) this.#failing = { ...this.#failing, turns: this.#failing.turns + turns };
  }

  /** Turns were written. */
  written(): void {
    const { dir, say } = this.#options;
    if (this.#failing !== undefined)
      say('info', `the journal is written to ${dir} again, ${this.#cost(this.#failing)}`);
    this.#failing = undefined;
  }

  /** The disk is too slow, or does not answer, and a turn was left out. */
  lags(): void {
    const { dir, now, say } = this.#options;
    if (this.#lagging === undefined)
      say('error', `the disk of the journal does not keep up: events are left out of ${dir} until it does`);
    this.#lagging = { since: this.#lagging?.since ?? now(), turns: (this.#lagging?.turns ?? 0) + 1 };
  }

  /** The process ends, and these turns have not reached the disk. */
  unanswered(turns: number): void {
    const { dir, say } = this.#options;
    say(
      'error',
      `the disk of the journal does not answer: at the end ${counted(turns, 'event')} may be missing in ${dir}`,
    );
  }

  /** Nothing waits for the disk. */
  keepsUp(): void {
    if (this.#lagging === undefined) return;
    this.#options.say('info', `the disk of the journal keeps up again, ${this.#cost(this.#lagging)}`);
    this.#lagging = undefined;
  }

  #cost({ since, turns }: Lasting): string {
    const after = `after ${seconds(this.#options.now() - since)}`;
    return turns === 0
      ? after
      : `${after}; ${counted(turns, 'event')} of that time ${turns === 1 ? 'is' : 'are'} missing there`;
  }
}
