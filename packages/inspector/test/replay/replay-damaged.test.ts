import { expect, test } from 'vitest';
import type { JournalTurnOf } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import { machineReplay } from '../../journal/machine-replay.ts';
import type { Language, PureMachine } from 'dependency-watchdog/machines/pure-machine.ts';
import {
  changeLine,
  changeLines,
  journalDriver,
  linesOf,
  recordedFile,
  recordedFiles,
  replay,
} from '@dwd/testing/journal-driver.ts';
import { meltdown, ofShoots } from '@dwd/testing/recorded-nights.ts';

const story = await meltdown();
const three = ofShoots(story, 3);

const damages: readonly (readonly [string, number, (text: string) => string | Uint8Array, string])[] = [
  ['cut short', 9, (text) => text.slice(0, 50), 'JSON'],
  ['of no seq', 5, (text) => text.replace('"seq"', '"sequence"'), 'seq'],
  ['of an event that nobody knows', 5, (text) => text.replace('"type":"', '"type":"un'), 'no event is called'],
  ['a header that is none', 1, () => '{"journal":1}', 'program'],
  ['empty', 7, () => '', 'JSON'],
  ['no text at all', 7, () => Buffer.from([0xff, 0x00, 0x0d, 0xfe]), 'JSON'],
];

test.each(damages)(
  '9.6 a line that is damaged (%s) is told with its place, and the rest is read',
  async (_, at, damage, why) => {
    const file = await recordedFile(story);
    changeLine(file, at, damage);
    const { code, out, err } = await replay([file]);
    expect(out).toContain(`DAMAGED: ${file}, line ${at} cannot be read: `);
    expect(out).toContain(why);
    expect(out).toContain('1 line could not be read');
    expect(out).toContain(`${story.length - (at === 1 ? 0 : 1)} events of 1 shoot`);
    expect(out).not.toContain('DIFFERENT');
    expect(err).toBe('');
    expect(code).toBe(1);
  },
);

test('9.6 L3 whichever line is lost, no shoot is said to come out differently, and the others are judged on', async () => {
  const { journal } = journalDriver({ memoryOnly: true, limits: { memoryChapterBytes: 8_000 } });
  for (const turn of three) journal.observe(turn);
  const lines = [...journal.chapters()].join('').split('\n').slice(0, -1);
  expect(lines.filter((line) => line.startsWith('{"journal"')).length).toBeGreaterThan(2);
  for (let lost = 1; lost < lines.length; lost += 5) {
    const { code, out } = await replay(['-'], [lines.map((text, at) => `${at === lost ? '' : text}\n`).join('')]);
    expect({ lost, code, out }).toMatchObject({ code: 1, out: expect.not.stringContaining('DIFFERENT') });
    const taken = Number(/(\d+) of them replayed/.exec(out)?.[1]);
    // Two shoots lost nothing; their ends come from the runtime.
    expect(taken).toBeGreaterThanOrEqual(2 * (story.length - 1));
  }
});

test('9.6 L3 a shoot that lost a turn is judged again from its next snapshot on', async () => {
  const files = await recordedFiles(story, { fileBytes: 15_000 });
  const [first = '', second = ''] = files;
  const probed = linesOf(first).findIndex((line) => line.includes('"type":"probe.answered"'));
  changeLine(first, probed + 1, (text) => text.slice(9));
  changeLine(second, 6, (text) => text.replace('"to":"', '"to":"idle","was":"'));
  const { out } = await replay(files);
  expect(out).toContain('could not be replayed');
  expect(out).toContain(`DIFFERENT: event`);
});

test('9.6 L3 files whose headers are damaged are each taken for a run of their own', async () => {
  const both = [await recordedFile(story), await recordedFile(story)];
  for (const file of both) changeLine(file, 1, () => '{');
  const { code, out, err } = await replay(both);
  expect(err).toBe('');
  expect(out).toContain(`${2 * story.length} events of 1 shoot`);
  expect(out).toContain('2 lines could not be read');
  expect(code).toBe(1);
});

test.each([0, 2])(
  '9.6 a journal of another version (%i) ends its own file, in a sentence that says so',
  async (version) => {
    const files = await recordedFiles(story, { fileBytes: 30_000 });
    const [first = ''] = files;
    const inFirst = linesOf(first).length - 1;
    changeLine(first, 1, (text) => text.replace('"journal":1', `"journal":${version}`));
    const { code, out } = await replay(files);
    expect(out).toContain(
      `DAMAGED: ${first}, line 1 and all that follows there cannot be read: a journal of version ${version}; this program reads version 1`,
    );
    expect(out).toContain(`${story.length - inFirst} events of 1 shoot`);
    expect(out).not.toContain('DIFFERENT');
    expect(code).toBe(1);
  },
);

test('9.6 --json reports damage too', async () => {
  const file = await recordedFile(story);
  changeLine(file, 9, () => '{');
  const values = (await replay(['--json', file])).lines.map((line) => JSON.parse(line));
  expect(values.filter(({ damaged }) => damaged !== undefined)).toEqual([
    { damaged: `${file}, line 9`, problem: expect.stringContaining('JSON'), ends: false },
  ]);
  expect(values.at(-1)).toMatchObject({ summary: { damaged: 1, turns: story.length - 1 } });
});

test('9.6 of a thousand damaged lines a hundred are named', async () => {
  const file = await recordedFile(three);
  changeLines(file, (text, line) => (line > 2 && line % 2 === 0 ? 'noise' : text));
  const { code, out } = await replay([file]);
  expect(out.match(/DAMAGED/g)).toHaveLength(100);
  expect(out).toContain(`${Math.floor(linesOf(file).length / 2) - 1} lines could not be read`);
  expect(code).toBe(1);
});

/** A machine that counts its turns, and never says a word. */
const counting: PureMachine<Language & { Context: number }> = {
  first: () => counted(0),
  take: ({ context }) => counted(context + 1),
  restore: (plain) => plain,
  plain: (snapshot) => snapshot,
  stateOf: () => 'idle',
};
const counted = (context: number) => ({ snapshot: { value: 'counting', context }, ...silent });
const silent = { state: 'idle', commands: [], notes: [] } as const;

function woken(seq: number, context?: number) {
  const before = context === undefined ? {} : { before: { value: 'counting', context } };
  const told = {
    seq,
    at: seq,
    kind: 'shoot',
    subject: 'shoot--a',
    from: 'idle',
    to: 'idle',
    commands: [],
    notes: [],
  } as const;
  return { ...told, event: { type: 'woken', at: seq }, ...before };
}

test('9.6 L3 after a lost turn a snapshot is believed, and from there on judged as ever', () => {
  const { take, doubt } = machineReplay(counting);
  const outcomes: string[] = [];
  const tell = (turn: unknown) => outcomes.push(take(turn as JournalTurnOf<Language & { Context: number }>, 3).outcome);
  tell({ ...woken(1), from: undefined, event: { type: 'started', at: 1, input: {} } });
  doubt();
  // The second turn is lost, and the third does not show it.
  for (const turn of [woken(3), woken(4, 2), woken(5, 3), woken(6, 9)]) tell(turn);
  expect(outcomes).toEqual(['same', 'same', 'same', 'same', 'differs']);
});
