import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { StoredJournal } from '../../journal/stored-journal.ts';
import { chosenJournals } from '../../serve/chosen-journals.ts';
import { readFileHistory } from '../../serve/file-history.ts';
import { newestOf, readingProgress } from '../../serve/reading-progress.ts';
import { turnIndex } from '../../serve/turn-index.ts';
import { meltdown } from '@dwd/testing/recorded-nights.ts';
import { asShoot, writeNight } from '@dwd/testing/journal-driver.ts';
import { emptyDir, historyOf, inspected, journalsOf } from './inspected.ts';

const story = await meltdown();
const one = 'shoot--dev--one';
const night = asShoot(story, one).filter(({ event }) => event.type !== 'ended');
const decided = night.findIndex(({ from, to }) => from === 'probing' && to === 'scalingDown');
const everything = { from: -Infinity, until: Infinity, most: 5_000 };

/** The night in two files of one run: the older one ends right after the decision. Where the older one is read, it waits for `go`. */
async function twoFiles() {
  const [dir, part] = [emptyDir(), emptyDir()];
  await writeNight('prober', dir, night.slice(0, decided + 1));
  await writeNight('prober', part, night.slice(decided + 1));
  const [first] = readdirSync(dir);
  const lines = readFileSync(join(part, readdirSync(part)[0]!), 'utf8');
  const later = first!.replace('00000001', '00000002');
  writeFileSync(
    join(dir, later),
    lines.replaceAll(/^\{"seq":(\d+)/gm, (_, seq: string) => `{"seq":${Number(seq) + decided + 1}`),
  );
  const [older, newer] = await journalsOf(dir);
  const go = Promise.withResolvers<void>();
  const large = 9 * 1_048_576;
  const held: StoredJournal = {
    ...older!,
    size: large,
    async *bytes() {
      await go.promise;
      yield* older!.bytes();
    },
  };
  return { dir, go: go.resolve, journals: [held, { ...newer!, size: large }] };
}

const options = { version: '1.2.3', now: () => 1_800_000_000_000 };

test('9.17 the newest files are shown while the older ones are read; then all is as if it had been read in order', async () => {
  const { dir, go, journals } = await twoFiles();
  const files = readFileHistory({ ...options, journals });
  const { json } = await inspected(files.history);
  await files.begun;
  await expect
    .poll(async () => json('/about'))
    .toMatchObject({
      turns: night.length - decided - 1,
      replayed: null,
      reading: { doing: 'all', step: 1 },
    });
  const some = (await json(`/shoots/${one}/turns`)) as { turns: unknown[]; earlier: boolean };
  expect([some.turns.length, some.earlier]).toEqual([night.length - decided - 1, true]);

  go();
  await files.replayed;
  const whole = await historyOf(dir);
  expect(files.history.about()).toEqual({ ...whole.about(), sources: expect.anything() });
  expect(whole.about()).toMatchObject({ turns: night.length, problems: [], reading: null });
  expect(whole.about().replayed).toEqual({ checked: night.length, withoutBeginning: 0, differences: [] });
  expect(files.history.rows()).toEqual(whole.rows());
  const [row] = whole.rows().shoots;
  expect(row!.judgedAt ?? row!.paused).not.toBeNull();
  expect(files.history.episodes.episodes()).toEqual(whole.episodes.episodes());
  const [outage] = whole.episodes.episodes().filter(({ kind }) => kind === 'outage');
  expect(outage!.beganAt).toBeLessThan(night[decided]!.at);
});

test('9.17 who asks for turns that are not read yet waits for them', async () => {
  const { go, journals } = await twoFiles();
  const { history, begun } = readFileHistory({ ...options, journals });
  await begun;
  const until = night[decided]!.at - 1;
  let found: number | undefined;
  const asking = history
    .turnsOf({ kind: 'shoot', subject: one }, { ...everything, until })
    .then((those) => (found = those?.turns.length));
  await new Promise<void>((later) => setImmediate(later));
  expect(found).toBeUndefined();
  go();
  expect(await asking).toBe(night.filter(({ at }) => at <= until).length);
});

test('9.17 turns are read from their files when they are asked for; of one that changed meanwhile it is said', async () => {
  const { dir, journals, go } = await twoFiles();
  go();
  const { history, replayed } = readFileHistory({ ...options, journals });
  await replayed;
  const { url } = await inspected(history);
  const file = join(dir, readdirSync(dir)[0]!);
  // In the midst of the first turn.
  writeFileSync(file, readFileSync(file).subarray(0, readFileSync(file).indexOf('\n') + 100));
  const answer = await fetch(`${url}/shoots/${one}/turns`);
  expect([answer.status, await answer.text()]).toEqual([
    503,
    `${file} is no longer the file that was read here; start the command again\n`,
  ]);
  renameSync(file, `${file}.gone`);
  expect(await (await fetch(`${url}/shoots/${one}/turns`)).text()).toMatch(/cannot be read: no such file/);
});

test('9.17 what gzip packed is unpacked once, and its turns are found in it', async () => {
  const dir = emptyDir();
  await writeNight('prober', dir, night);
  const plain = await historyOf(dir);
  const [name] = readdirSync(dir);
  const packed = emptyDir();
  writeFileSync(join(packed, `${name}.gz`), gzipSync(readFileSync(join(dir, name!))));
  const part = { from: night[40]!.at, until: night[80]!.at, most: 30 };
  const machine = { kind: 'shoot', subject: one } as const;
  expect(await (await historyOf(packed)).turnsOf(machine, part)).toEqual(await plain.turnsOf(machine, part));
});

test('9.17 of a time, or of a shoot, only that is shown, and what is left out is said', async () => {
  const dir = emptyDir();
  const other = asShoot(night.slice(0, 20), 'shoot--dev--other');
  await writeNight('prober', dir, [...night, ...other]);
  const [since, until] = [night[decided]!.at, night.at(-1)!.at - 1];
  const scope = { since, until, shoot: one };
  const { history, replayed } = readFileHistory({
    ...options,
    scope,
    ...(await chosenJournals(await journalsOf(dir), scope)),
  });
  await replayed;
  const shown = night.filter(({ at }) => at >= since && at <= until).length;
  expect(history.about()).toMatchObject({ turns: shown, firstAt: since, replayed: { checked: shown } });
  expect(history.about().problems).toEqual([
    expect.stringMatching(
      /^events before .*Z \(--since\), or after .*Z \(--until\), or of others than .* are left out$/,
    ),
  ]);
  expect(history.rows().shoots.map(({ shoot }) => shoot)).toEqual([one]);
  // It began before that time, and goes on into it: told as it was.
  const [outage] = history.episodes.episodes().filter(({ kind }) => kind === 'outage');
  expect(outage!.beganAt).toBeLessThan(since);
});

test('9.17 where nothing of that is recorded, it fails with one sentence', async () => {
  const dir = emptyDir();
  await writeNight('prober', dir, night);
  const { read } = readFileHistory({ ...options, scope: { shoot: 'shoot--no' }, journals: await journalsOf(dir) });
  await expect(read).rejects.toThrow('no event of shoot--no is recorded there');
});

/** A journal of which nothing is read. */
function journal(number: number, firstAt: number, size = 1): StoredJournal {
  return {
    name: `/j/dwd-prober-${String(number).padStart(8, '0')}-20260101T000000000Z.jsonl`,
    size,
    firstAt: () => Promise.resolve(firstAt),
    bytes: () => expect.fail('it is read'),
    linesAt: () => expect.fail('it is read'),
  };
}

test.each([
  [{ since: 250 }, [200, 300, 400]],
  [{ since: 300 }, [300, 400]],
  [{ until: 200 }, [100, 200]],
  [{ since: 210, until: 220 }, [200]],
  [{}, [100, 200, 300, 400]],
])('9.17 of the files only those that may tell of %o are read', async (scope, wanted) => {
  const all = [100, 200, 300, 400].map((firstAt, index) => journal(index + 1, firstAt));
  const { journals } = await chosenJournals(all, scope);
  expect(await Promise.all(journals.map((each) => each.firstAt()))).toEqual(wanted);
});

test('9.17 of more than is read the oldest files are left out, and counted', async () => {
  const mebibyte = 1_048_576;
  const all = [1, 2, 3].map((number) => journal(number, number, mebibyte));
  const { journals, leftOut } = await chosenJournals(all, {}, 2 * mebibyte);
  expect(journals).toEqual(all.slice(1));
  expect(leftOut).toEqual(['1 older file left out: 2 MiB are read, and --since and --until choose others']);
  expect((await chosenJournals(all, {}, 10)).journals).toEqual(all.slice(2));
});

test('9.17 what is read first is some megabytes of the newest', () => {
  const all = [1, 2, 3, 4].map((number) => journal(number, number, 5));
  expect(newestOf(all, 8)).toEqual(all.slice(2));
  expect(newestOf(all, 100)).toEqual(all);
  const progress = readingProgress(all.slice(3), all);
  progress.onBytes(all[3]!, 5);
  const percents = [progress.percent()];
  for (const doing of ['all', 'replay', 'replay', 'replay'] as const) {
    progress.next(doing);
    percents.push(progress.percent());
  }
  // Of 150 bytes' work: 5 of the newest, 20 of all, 25 to replay the newest, 100 to replay all.
  expect(percents).toEqual([3, 3, 16, 33, 99]);
});

test('9.17 an index that is full gives up the oldest turns, and counts them', () => {
  const index = turnIndex(5);
  const [older, newer] = [journal(1, 1), journal(2, 2)];
  const machine = { kind: 'shoot', subject: one } as const;
  for (const each of [older, newer]) {
    index.begin(each, 'run');
    for (let at = 0; at < 4; at++) index.add(machine, at, { begin: at, bytes: 1 });
  }
  expect(index.dropped()).toBe(4);
  expect(index.blocksOf(machine)).toHaveLength(1);
});
