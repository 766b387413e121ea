import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import type { PlainOf, PureMachine } from 'dependency-watchdog/machines/pure-machine.ts';
import { byKind } from 'dependency-watchdog/adapters/record/facts/by-kind.ts';
import type { JournalTurns } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import { machineReplay, type Replayed, type MachineReplay } from './machine-replay.ts';

type ReplayMachines = {
  readonly [Kind in keyof Languages]: Pick<PureMachine<Languages[Kind]>, 'first' | 'take' | 'restore' | 'plain'>;
};

export type JournalReplay = Readonly<{
  /** `run` names the process that wrote it: another one knows nothing of the machines of the one before. */
  take(turn: JournalTurns[keyof Languages], run: string): Replayed;
  /** A line is damaged: the turn of any machine may have stood there. */
  damaged(): void;
  /** Where a machine of the present run stands after its last turn; undefined where nobody knows. */
  standing<Kind extends keyof Languages>(kind: Kind, subject: string): PlainOf<Languages[Kind]> | undefined;
}>;

/** Feeds recorded turns to their machines again: all of them, in their order. */
export function journalReplay({ shoot, weeder }: ReplayMachines): JournalReplay {
  let replays = begin();
  let currentRun: string | undefined;
  let previousSeq = 0;
  /** The first turn after the youngest gap in the numbers, where turns of any machine may be missing. */
  let gapBefore = 0;

  function begin() {
    return { shoot: machineReplay<Languages['shoot']>(shoot), weeder: machineReplay<Languages['weeder']>(weeder) };
  }

  const take = byKind<JournalTurns, Replayed>(
    replays,
    (kind) => (turn) => (replays[kind] as MachineReplay<Languages[typeof kind]>).take(turn, gapBefore),
  );

  return {
    take(turn, run) {
      if (run !== currentRun) replays = begin();
      if (run !== currentRun || turn.seq !== previousSeq + 1) gapBefore = turn.seq;
      currentRun = run;
      previousSeq = turn.seq;
      return take(turn);
    },
    damaged() {
      for (const replay of Object.values(replays)) replay.doubt();
    },
    standing: (kind, subject) => (replays[kind] as MachineReplay<Languages[typeof kind]>).standing(subject),
  };
}
