import type { JournalTurnOf } from '../../adapters/journal/journal-line.ts';
import type { Instant } from '../../domain/time.ts';
import type { LanguageMap, Languages, ShootLanguage } from '../../machines/kinds.ts';
import type { Language } from '../../machines/pure-machine.ts';
import { outageData, outageLines } from '../../adapters/episodes/outage-words.ts';
import { recoveryData, recoveryLines } from '../../adapters/episodes/recovery-words.ts';
import { leaseWitness } from '../../adapters/episodes/lease-witness.ts';
import { nextOutages, withAccount, type ShootOutage } from '../../adapters/episodes/shoot-outages.ts';
import { nextRecoveries, noRecoveries, tellsSomething } from '../../adapters/episodes/weeder-recoveries.ts';

/** What a summary tells of one machine: an outage of a shoot, a recovery of a service. */
export type Episode = Readonly<{
  beganAt: Instant;
  /** Null while it goes on. */
  endedAt: Instant | null;
  /** For people; the first line names the machine. */
  lines: readonly string[];
  /** For programs. */
  data: Readonly<Record<string, unknown>>;
}>;

/** Follows one machine: every turn of it must pass, in order. */
export type EpisodeCourse<Spoken extends Language> = Readonly<{
  take(turn: JournalTurnOf<Spoken>): void;
  episodes(): readonly Episode[];
}>;

type EpisodesOf<Spoken extends Language> = Readonly<{
  /** What one is called, and several of them. */
  noun: string;
  plural: string;
  begin(): EpisodeCourse<Spoken>;
}>;

export type KindEpisodes<Spoken extends LanguageMap<Spoken>> = {
  readonly [Kind in keyof Spoken]: EpisodesOf<Spoken[Kind]>;
};

export const kindEpisodes: KindEpisodes<Languages> = {
  shoot: {
    noun: 'outage',
    plural: 'outages',
    begin() {
      const witness = leaseWitness();
      const next = (outages: readonly ShootOutage[], turn: JournalTurnOf<ShootLanguage>) => {
        witness.observe(turn);
        return withAccount(outages, nextOutages(outages, turn), () => witness.account());
      };
      return course([], next, (outages) =>
        outages.map((outage) => ({
          beganAt: outage.cutOffAt ?? outage.beganAt,
          endedAt: outage.endedAt,
          lines: outageLines(outage),
          data: outageData(outage),
        })),
      );
    },
  },
  weeder: {
    noun: 'recovery',
    plural: 'recoveries',
    begin: () =>
      course(noRecoveries, nextRecoveries, ({ recoveries }) =>
        recoveries.filter(tellsSomething).map((recovery) => ({
          beganAt: recovery.downAt ?? recovery.backAt,
          endedAt: recovery.closedAt,
          lines: recoveryLines(recovery),
          data: recoveryData(recovery),
        })),
      ),
  },
};

function course<Spoken extends Language, Told>(
  none: Told,
  next: (told: Told, turn: JournalTurnOf<Spoken>) => Told,
  tell: (told: Told) => readonly Episode[],
): EpisodeCourse<Spoken> {
  let told = none;
  return {
    take(turn) {
      told = next(told, turn);
    },
    episodes: () => tell(told),
  };
}
