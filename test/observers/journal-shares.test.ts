import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { seededChance } from '../../src/adapters/clock/chance.ts';
import {
  chapterText,
  chapterWithout,
  sealChapter,
  OpenChapter,
} from '../../src/adapters/record/journal/memory-chapter.ts';
import { subjectOfLine } from '../../src/adapters/record/journal/journal-line.ts';
import type { Turn } from '../../src/effects/turn.ts';
import { journalDriver, replay, type JournalDriver } from '@dwd/testing/journal-driver.ts';
import { meltdown, ofShoots } from '@dwd/testing/recorded-nights.ts';

const story = await meltdown();
const hostile = 'shoot--0';

/** The same story of twenty shoots, several times over. One of them makes each turn long, with texts that nothing compresses. */
function flooded(bytes: number, times = 1): readonly Turn[] {
  const chance = seededChance(4_007);
  const noise = () => Array.from({ length: bytes / 10 }, () => chance().toString(36).slice(2, 12)).join('');
  const living = story.filter(({ event }) => event.type !== 'ended');
  return ofShoots(Array.from({ length: times }, () => living).flat(), 20).map((turn) =>
    turn.subject === hostile && bytes > 0 ? { ...turn, event: { ...turn.event, noise: noise() } } : turn,
  );
}

/** How many turns the journal holds of the hostile shoot, and of the other nineteen. */
function heldBy(text: string) {
  const turns = text.split('\n').filter((line) => line.startsWith('{"seq"'));
  const ofHostile = turns.filter((line) => line.includes(`"subject":"${hostile}"`)).length;
  return { ofHostile, ofOthers: turns.length - ofHostile };
}

const inMemory = ({ journal }: JournalDriver) => [...journal.chapters()].join('');

test.each([2_000, 10_000])(
  '4.7 9.6 L3 a shoot that floods the memory with turns of %i bytes loses its own history there, and the others keep theirs',
  async (bytes) => {
    const limits = { memoryChapterBytes: 150_000, memoryBytes: 90_000 };
    const undisturbed = journalDriver({ memoryOnly: true, limits });
    for (const turn of flooded(0, 3)) undisturbed.journal.observe(turn);
    const { ofOthers: usual } = heldBy(inMemory(undisturbed));
    const disturbed = journalDriver({ memoryOnly: true, limits });
    for (const turn of flooded(bytes, 3)) {
      const before = disturbed.dropped.length;
      disturbed.journal.observe(turn);
      // No turn makes the event loop wait for more than one cut.
      expect(disturbed.dropped.slice(before).filter(({ reason }) => reason === 'memoryShare').length).toBeLessThan(2);
    }
    const held = heldBy(inMemory(disturbed));
    expect(held.ofOthers).toBeGreaterThan(0.6 * usual);
    // Its youngest turns are there.
    expect(held.ofHostile).toBeGreaterThan(0);
    expect(disturbed.said).toEqual([
      `warn: the journal leaves out turns of ${hostile}, which takes more than its share`,
    ]);
    expect(disturbed.dropped.filter(({ reason }) => reason === 'memoryShare').length).toBeGreaterThan(5);
    const { code, out } = await replay(['-'], [inMemory(disturbed)]);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.not.stringContaining('could not be replayed') });
  },
);

function line(seq: number, shoot: string): string {
  return `{"seq":${seq},"at":${seq},"kind":"shoot","subject":"${shoot}","to":"idle"}\n`;
}

function sealed(header: string, ...lines: readonly string[]) {
  const open = new OpenChapter(header, 10);
  for (const each of lines) open.append(subjectOfLine(each) ?? '', each, Buffer.byteLength(each));
  return sealChapter(open.whole());
}

test('4.7 9.6 a chapter of which one machine’s turns were all there is goes with them', () => {
  const header = '{"journal":1}\n';
  const alone = sealed(header, line(1, 'a'), line(2, 'a'));
  expect(chapterWithout(alone, 'a')).toBeUndefined();
  const both = sealed(header, line(1, 'a'), line(2, 'b'), line(3, 'a'));
  const left = chapterWithout(both, 'a')!;
  expect(chapterText(left).toString()).toBe(header + line(2, 'b'));
  expect({ turns: left.turns, subjects: left.subjects }).toEqual({ turns: 1, subjects: 1 });
});

test('4.7 9.6 what a flood takes of the memory is bounded all the time', () => {
  const limits = { memoryChapterBytes: 10_000, memoryBytes: 100_000, turnBytes: 40_000 };
  const { journal } = journalDriver({ memoryOnly: true, limits });
  for (const turn of flooded(30_000).filter(({ seq }) => seq % 20 < 2)) {
    journal.observe(turn);
    const bytes = [...journal.chapters()].reduce((sum, { length }) => sum + length, 0);
    // Noise of letters and digits is compressed to two thirds. The open chapter is not compressed, nor are the turns that will be cut next.
    expect(bytes * (2 / 3)).toBeLessThan(limits.memoryBytes + 2 * limits.turnBytes + 4 * limits.memoryChapterBytes);
  }
});

test('4.7 9.6 where nobody floods, the oldest go, and nobody is said to take too much', () => {
  for (const shoots of [1, 2, 5, 20]) {
    const { journal, dropped, said } = journalDriver({
      memoryOnly: true,
      limits: { memoryChapterBytes: 20_000, memoryBytes: 30_000 },
    });
    for (let round = 0; round < 20 / shoots; round++)
      for (const turn of ofShoots(story, shoots)) journal.observe({ ...turn, seq: turn.seq + round * 10_000 });
    expect(new Set(dropped.map(({ reason }) => reason))).toEqual(new Set(['memoryBytes']));
    expect(said).toEqual([]);
  }
});

test('4.7 9.6 L3 a shoot that takes more than its share is cut in memory and on disk, said once, and counted', async () => {
  const { journal, files, dropped, said, clock } = journalDriver({
    limits: { shareBytes: 100_000, shareBytesPerSecond: 1_000, shareTurns: 1_000 },
  });
  const turns = flooded(30_000);
  for (const [index, turn] of turns.entries()) {
    if (index % 20 === 0) await clock.advanceBy(5_000);
    journal.observe(turn);
  }
  await journal.close();
  const text = files()
    .map((file) => readFileSync(file, 'utf8'))
    .join('');
  const { ofHostile, ofOthers } = heldBy(text);
  expect(ofOthers).toBe(19 * (story.length - 1));
  expect(ofHostile).toBeGreaterThan(3);
  expect(ofHostile).toBeLessThan(30);
  expect(said).toEqual([`warn: the journal leaves out turns of ${hostile}, which takes more than its share`]);
  // Once for the memory, once for the file.
  expect(dropped.filter(({ reason }) => reason === 'shootShare')).toHaveLength(2 * (story.length - 1 - ofHostile));
  const { code, out } = await replay(files());
  // Its first line after a gap needs no line before it.
  expect({ code, out }).toMatchObject({ code: 0, out: expect.not.stringContaining('could not be replayed') });
});

test('4.7 9.6 a shoot that talks without end is cut by its number of turns, too, and has its share again when it comes again', () => {
  const { journal, dropped, said } = journalDriver({
    memoryOnly: true,
    limits: { shareTurns: 100, shareTurnsPerSecond: 1 },
  });
  const woken = story.find(({ event }) => event.type === 'woken')!;
  const ended = (because: 'bug' | 'gone', seq: number): Turn => ({
    ...woken,
    seq,
    event: { type: 'ended', at: woken.at, because },
  });
  let seq = 0;
  const talk = (turns: number) => {
    for (let index = 0; index < turns; index++) journal.observe({ ...woken, seq: ++seq });
    return dropped.filter(({ reason }) => reason === 'shootShare').length;
  };
  expect(talk(150)).toBe(50);
  // A bug gives nothing back.
  journal.observe(ended('bug', ++seq));
  expect(talk(50)).toBe(101);
  journal.observe(ended('gone', ++seq));
  expect(talk(150)).toBe(152);
  expect(said).toHaveLength(2);
});

test('4.7 9.6 a turn that is left out is never written out before: neither one that is too long, nor one beyond the share', () => {
  const { journal, dropped } = journalDriver({
    limits: { turnBytes: 100_000, shareBytes: 150_000, shareBytesPerSecond: 0 },
  });
  let written = 0;
  const woken = story.find(({ event }) => event.type === 'woken')!;
  const turn = (seq: number, bytes: number): Turn => ({
    ...woken,
    seq,
    before: { value: 'probing', context: {} as never },
    notes: [{ kind: 'paused', reason: 'x'.repeat(bytes) }, { toJSON: () => ++written } as never],
  });
  journal.observe(turn(1, 1_000_000));
  expect({ written, dropped: dropped.length }).toEqual({ written: 0, dropped: 2 });
  journal.observe(turn(2, 80_000));
  // Memory and file share one writing.
  expect({ written, dropped: dropped.length }).toEqual({ written: 1, dropped: 2 });
  journal.observe(turn(3, 80_000));
  expect({ written, dropped: dropped.length }).toEqual({ written: 1, dropped: 4 });
  expect(new Set(dropped.map(({ reason }) => reason))).toEqual(new Set(['turnBytes', 'shootShare']));
});

test('4.7 9.6 nor is a snapshot that is too long', () => {
  const { journal, dropped } = journalDriver({ limits: { turnBytes: 100_000 } });
  let written = 0;
  const woken = story.find(({ event }) => event.type === 'woken')!;
  const context = { leases: ['x'.repeat(200_000), { toJSON: () => ++written }] };
  journal.observe({ ...woken, before: { value: 'probing', context: context as never } });
  expect({ written, reasons: dropped.map(({ reason }) => reason) }).toEqual({
    written: 0,
    reasons: ['turnBytes', 'turnBytes'],
  });
});

test('9.6 the bound on turns counts those that are there, however many have gone before', () => {
  const limits = { memoryChapterBytes: 20_000, memoryTurns: 400 };
  const { journal } = journalDriver({ memoryOnly: true, limits });
  for (const turn of ofShoots(story, 40)) journal.observe(turn);
  const { ofHostile, ofOthers } = heldBy([...journal.chapters()].join(''));
  // The last chapter that had to go took only its own turns with it.
  expect(ofHostile + ofOthers).toBeGreaterThan(300);
  expect(ofHostile + ofOthers).toBeLessThanOrEqual(400);
});

test('9.6 the beginning of a line shows whose turn it is, whatever follows', async () => {
  const { journal, files } = journalDriver();
  for (const turn of ofShoots(story, 3)) journal.observe(turn);
  await journal.close();
  for (const line of readFileSync(files()[0]!, 'utf8').split('\n').slice(1, -1))
    expect(subjectOfLine(line)).toBe((JSON.parse(line) as { subject: string }).subject);
  const weeders =
    '{"seq":1,"at":1.5e+300,"kind":"weeder","subject":"shoot--a/kube-apiserver","event":{"type":"woken","shoot":"shoot--b"}}';
  expect(subjectOfLine(weeders)).toBe('shoot--a/kube-apiserver');
  expect(subjectOfLine('{"journal":1,"program":"x"}')).toBeUndefined();
});
