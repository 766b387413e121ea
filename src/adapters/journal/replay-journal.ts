import type { ShootLanguage, WeederLanguage } from '../../effects/turn.ts';
import type { JournalTurn } from './journal-line.ts';
import { replayCourses, type Replayed, type ReplayMachine } from './replay-courses.ts';

/** For each kind of turn, the machine that took it. */
export type ReplayMachines<ShootSnapshot, WeederSnapshot> = Readonly<{
  shoot: ReplayMachine<ShootLanguage, ShootSnapshot>;
  weeder: ReplayMachine<WeederLanguage, WeederSnapshot>;
}>;

export type JournalReplay = Readonly<{
  /** `run` names the process that wrote it: another one knows nothing of the machines of the one before. */
  take(turn: JournalTurn, run: string): Replayed;
  /** A line is damaged: the turn of any machine may have stood there. */
  damaged(): void;
}>;

/** Feeds recorded turns to their machines again: all of them, in their order. */
export function journalReplay<ShootSnapshot, WeederSnapshot>(
  machines: ReplayMachines<ShootSnapshot, WeederSnapshot>,
): JournalReplay {
  let courses = begin();
  let currentRun: string | undefined;
  let previousSeq = 0;
  /** The first turn after the youngest gap in the numbers, where turns of any machine may be missing. */
  let gapBefore = 0;

  function begin() {
    return {
      shoot: replayCourses<ShootLanguage, ShootSnapshot>(machines.shoot),
      weeder: replayCourses<WeederLanguage, WeederSnapshot>(machines.weeder),
    };
  }

  return { take, damaged };

  function damaged(): void {
    courses.shoot.doubt();
    courses.weeder.doubt();
  }

  function take(turn: JournalTurn, run: string): Replayed {
    if (run !== currentRun) courses = begin();
    if (run !== currentRun || turn.seq !== previousSeq + 1) gapBefore = turn.seq;
    currentRun = run;
    previousSeq = turn.seq;
    return 'shoot' in turn
      ? courses.shoot.take(turn.shoot, turn, gapBefore)
      : courses.weeder.take(turn.service, turn, gapBefore);
  }
}
