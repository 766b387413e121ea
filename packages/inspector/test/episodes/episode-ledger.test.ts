import { expect, test } from 'vitest';
import type { EpisodeDraft, EpisodeWeight } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { episodeLedger, type EpisodeLimits } from '../../episodes/episode-ledger.ts';

type One = EpisodeDraft;

/** What happens to a shoot at that minute; `told` counts how often it was put into words. */
function happening(
  subject: string,
  minute: number,
  { over = true, weight = 'notable' }: Readonly<{ over?: boolean; weight?: EpisodeWeight }> = {},
  told: { times: number } = { times: 0 },
): One {
  const beganAt = minute * 60_000;
  const endedAt = over ? beganAt + 1 : null;
  const turn = { kind: 'shoot', subject, run: 'run', seq: minute, at: beganAt } as const;
  const head = { kind: 'outage', machine: 'shoot', subject, id: `${subject} ${minute}`, beganAt, endedAt } as const;
  return {
    ...head,
    chain: subject,
    episode() {
      told.times += 1;
      return { ...head, weight, sentence: `at ${minute}`, lines: [], stages: [], turn, data: { minute } };
    },
  };
}

function ledgerOf(limits: Partial<EpisodeLimits>, ...happenings: readonly One[]) {
  const ledger = episodeLedger({ most: 100, foldWithin: 600_000, ...limits });
  for (const one of happenings) ledger.put(one);
  return ledger;
}

const sentences = (ledger: ReturnType<typeof ledgerOf>) => ledger.episodes().map(({ id, sentence }) => [id, sentence]);

test('9.7 what changes takes the place of what it was, and the newest comes first', () => {
  const ledger = ledgerOf({}, happening('a', 0, { over: false }), happening('b', 1), happening('a', 0));
  expect(ledger.episodes().map(({ id, endedAt }) => [id, endedAt])).toEqual([
    ['b 1', 60_001],
    ['a 0', 1],
  ]);
  expect(ledger.drafts().map(({ id }) => id)).toEqual(['a 0', 'b 1']);
});

test.each<[string, number, readonly number[], readonly (readonly [string, string])[]]>([
  [
    'two are two',
    600_000,
    [0, 1],
    [
      ['a 1', 'at 1'],
      ['a 0', 'at 0'],
    ],
  ],
  [
    'the third within ten minutes joins the second',
    600_000,
    [0, 1, 2],
    [
      ['a 1', '2 times since 00:01:00.0, the last time: at 2'],
      ['a 0', 'at 0'],
    ],
  ],
  [
    'so do all that follow soon',
    600_000,
    [0, 5, 9, 18, 27],
    [
      ['a 5', '4 times since 00:05:00.0, the last time: at 27'],
      ['a 0', 'at 0'],
    ],
  ],
  [
    'one that comes later stands alone',
    600_000,
    [0, 1, 2, 12],
    [
      ['a 12', 'at 12'],
      ['a 1', '2 times since 00:01:00.0, the last time: at 2'],
      ['a 0', 'at 0'],
    ],
  ],
  [
    'three in an hour are three',
    600_000,
    [0, 9, 18],
    [
      ['a 18', 'at 18'],
      ['a 9', 'at 9'],
      ['a 0', 'at 0'],
    ],
  ],
  [
    'nothing is folded where that is not wanted',
    0,
    [0, 1, 2],
    [
      ['a 2', 'at 2'],
      ['a 1', 'at 1'],
      ['a 0', 'at 0'],
    ],
  ],
])('9.7 what happens again and again becomes one: %s', (_, foldWithin, minutes, told) => {
  expect(sentences(ledgerOf({ foldWithin }, ...minutes.map((minute) => happening('a', minute))))).toEqual(told);
});

test('9.7 one of many times is as bad as the worst of them, and names how many', () => {
  const ledger = ledgerOf(
    {},
    happening('a', 0),
    happening('a', 1, { weight: 'bad' }),
    happening('a', 2, { weight: 'grave' }),
  );
  expect(ledger.episodes()[0]).toMatchObject({ weight: 'bad', beganAt: 60_000, data: { minute: 2, times: 2 } });
});

test('9.7 the change of one that was joined is told where it was joined', () => {
  const last = happening('a', 2, { over: false });
  const ledger = ledgerOf({}, happening('a', 0), happening('a', 1), last, happening('a', 2));
  expect(ledger.episodes().map(({ id, endedAt }) => [id, endedAt])).toEqual([
    ['a 1', 120_001],
    ['a 0', 1],
  ]);
});

test('9.7 so many are kept: the oldest that ended goes first, and is counted', () => {
  const open = happening('a', 0, { over: false });
  const ledger = ledgerOf({ most: 3 }, open, ...[1, 2, 3, 4].map((minute) => happening(`b${minute}`, minute)));
  expect(ledger.episodes().map(({ id }) => id)).toEqual(['b4 4', 'b3 3', 'a 0']);
  expect(ledger.dropped()).toBe(2);
});

test('9.7 where none ended, the oldest goes, and comes back with what is new of it', () => {
  const open = [0, 1, 2].map((minute) => happening(`a${minute}`, minute, { over: false }));
  const ledger = ledgerOf({ most: 2 }, ...open);
  expect(ledger.episodes().map(({ id }) => id)).toEqual(['a2 2', 'a1 1']);
  ledger.put(happening('a0', 0, { over: false }));
  expect(ledger.episodes().map(({ id }) => id)).toEqual(['a2 2', 'a0 0']);
  expect(ledger.dropped()).toBe(2);
});

test('9.7 who read before is told what changed since', () => {
  const ledger = ledgerOf({}, happening('a', 0, { over: false }), happening('b', 1));
  const { revision, episodes } = ledger.changedSince(0);
  expect(episodes).toHaveLength(2);
  expect(ledger.changedSince(revision).episodes).toEqual([]);
  ledger.put(happening('a', 0));
  expect(ledger.changedSince(revision)).toMatchObject({
    revision: revision + 1,
    episodes: [{ id: 'a 0', endedAt: 1 }],
  });
});

test('9.7 nothing is put into words before somebody asks, and then once', () => {
  const told = { times: 0 };
  const ledger = ledgerOf({}, happening('a', 0, {}, told), happening('b', 1, {}, told));
  expect(told.times).toBe(0);
  ledger.episodes();
  ledger.episodes();
  expect(told.times).toBe(2);
});
