import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { kindOccurrences, type KindOccurrences } from '../../src/adapters/events/occurrences.ts';
import { kindEpisodes, type KindEpisodes } from '../../src/adapters/episodes/episode-courses.ts';
import { owingStates, type OwingStates } from '../../src/adapters/http/health.ts';
import { journalKinds, type JournalKinds } from '../../src/adapters/journal/journal-kinds.ts';
import type { ReplayMachines } from '../../src/adapters/journal/replay-journal.ts';
import { rolls } from '../../src/adapters/log/roll-call.ts';
import type { Rolls } from '../../src/adapters/log/roll.ts';
import { turnLogs, type TurnLogs } from '../../src/adapters/log/turn-log.ts';
import { makeInstruments } from '../../src/adapters/metrics/metric-list.ts';
import { turnCounters, type TurnCounters } from '../../src/adapters/metrics/turn-metrics.ts';
import { kindWords, type KindWords } from '../../src/adapters/words/turn-words.ts';
import { kindInterests, type KindInterests } from '../../src/commands/replay/turn-interest.ts';
import { pureMachines, type Languages } from '../../src/machines/kinds.ts';

/** A kind of machine that this program does not have: a bell counts how often it was rung. */
type BellLanguage = Readonly<{
  Kind: 'bell';
  Subject: `bell of ${string}`;
  Input: Readonly<{ rings: number }>;
  Event: Readonly<{ type: 'rung'; at: number }>;
  State: 'hanging';
  Context: Readonly<{ rings: number }>;
  Command: Readonly<{ type: 'sound'; params: Readonly<{ rings: number }> }>;
  Note: Readonly<{ kind: 'loud'; rings: number }>;
}>;

type Three = Languages & { bell: BellLanguage };

test('9.1 nothing compiles until each table has an entry for it', () => {
  const counters = turnCounters(makeInstruments(() => new Registry()));
  const tables = [
    // @ts-expect-error Its machine is missing,
    pureMachines satisfies ReplayMachines<Three>,
    // @ts-expect-error its lines in the log,
    turnLogs satisfies TurnLogs<Three>,
    // @ts-expect-error how all of it stand,
    rolls satisfies Rolls<Three>,
    // @ts-expect-error its words,
    kindWords satisfies KindWords<Three>,
    // @ts-expect-error what counts its turns,
    counters satisfies TurnCounters<Three>,
    // @ts-expect-error its Kubernetes events,
    kindOccurrences satisfies KindOccurrences<Three>,
    // @ts-expect-error the states in which it owes a turn,
    owingStates satisfies OwingStates<Three>,
    // @ts-expect-error how its lines in the journal are read,
    journalKinds satisfies JournalKinds<Three>,
    // @ts-expect-error what a replay shows of it,
    kindInterests satisfies KindInterests<Three>,
    // @ts-expect-error and what it sums up.
    kindEpisodes satisfies KindEpisodes<Three>,
  ];
  for (const table of tables) expect(Object.keys(table).toSorted()).toEqual(['shoot', 'weeder']);
});
