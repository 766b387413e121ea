import type { ShootLanguage, WeederLanguage } from '../../effects/turn.ts';
import type { JournalTurn } from './journal-line.ts';
import { replayCourses, type Replayed, type ReplayMachine } from './replay-courses.ts';

/** For each kind of turn, the machine that took it. */
export type ReplayMachines<ShootSnapshot, WeederSnapshot> = Readonly<{
  shoot: ReplayMachine<ShootLanguage, ShootSnapshot>;
  weeder: ReplayMachine<WeederLanguage, WeederSnapshot>;
}>;

/**
 * Feeds recorded turns to their machines again: all of them, in their order. `run` names the process that wrote them:
 * another one knows nothing of the machines of the one before.
 */
export function journalReplay<ShootSnapshot, WeederSnapshot>(
  machines: ReplayMachines<ShootSnapshot, WeederSnapshot>,
): (turn: JournalTurn, run: string) => Replayed {
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

  return (turn, run) => {
    if (run !== currentRun) courses = begin();
    if (run !== currentRun || turn.seq !== previousSeq + 1) gapBefore = turn.seq;
    currentRun = run;
    previousSeq = turn.seq;
    return 'shoot' in turn ? courses.shoot(turn.shoot, turn, gapBefore) : courses.weeder(turn.service, turn, gapBefore);
  };
}
