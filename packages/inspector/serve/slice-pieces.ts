import { headerLine } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import type { About } from '../wire/wire.ts';
import type { FoundTurns } from './history.ts';

/** Turns as a journal of their own: each run's header, then its turns, as they are recorded. The first one carries where its machine stood. */
export function* slicePieces({ turns }: FoundTurns, runs: About['runs']): Generator<Buffer> {
  let run: string | undefined;
  for (const turn of turns) {
    const [, of = ''] = ofRun.exec(turn) ?? [];
    const name = JSON.parse(`"${of}"`) as string;
    const header = runs.find((one) => one.run === name);
    if (name !== run && header !== undefined) yield Buffer.from(headerLine(header));
    run = name;
    yield Buffer.from(`${turn.replace(ofRun, '}')}\n`);
  }
}

/** The wire adds it at the end of each line. */
const ofRun = /,"run":"((?:[^"\\]|\\.)*)"\}$/;
