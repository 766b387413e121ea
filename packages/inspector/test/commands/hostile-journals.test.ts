import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runInspect } from '../../commands/inspect.ts';
import { terminalLine } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { emptyDir, historyOf, inspected } from '../serve/inspected.ts';
import { replay, asShoot, writeNight } from '@dwd/testing/journal-driver.ts';
import { meltdown } from '@dwd/testing/recorded-nights.ts';
import { heardIo } from '@dwd/testing/heard-io.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

const story = await meltdown();
const one = 'shoot--dev--one';
const calm = 'shoot--dev--calm';

type Line = Record<string, unknown> & { subject?: string; event: Record<string, unknown> };

/** A journal in which the lines of one of two shoots were changed. */
async function journalWith(change: (line: Line) => unknown): Promise<string> {
  const dir = emptyDir();
  await writeNight('prober', dir, [...asShoot(story.slice(0, -1), one), ...asShoot(story.slice(0, 40), calm)]);
  const file = join(dir, readdirSync(dir)[0]!);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const changed = lines.map((text) => {
    const line = JSON.parse(text) as Line;
    return line.subject === one ? JSON.stringify(change(line)) : text;
  });
  writeFileSync(file, `${changed.join('\n')}\n`);
  return file;
}

const nonsense: readonly (readonly [string, (line: Line) => unknown])[] = [
  ['no context', (line) => ({ ...line, before: { value: 'probing', context: null } })],
  ['a context of another kind', (line) => ({ ...line, before: { value: 'probing', context: { config: null } } })],
  ['a context that is a number', (line) => ({ ...line, before: { value: { a: 5 }, context: 5 } })],
  [
    'events without what they carry',
    (line) => ({ ...line, event: { type: line.event['type'], at: line.event['at'] } }),
  ],
  ['commands of no machine', (line) => ({ ...line, commands: [{ type: 'scale' }, { type: '__proto__' }] })],
  ['notes of no machine', (line) => ({ ...line, notes: [{ kind: 'toString' }, { kind: 'verdict' }] })],
  ['instants that no calendar names', (line) => ({ ...line, at: 1e300, event: { ...line.event, at: -1e300 } })],
];

test.each(nonsense)('9.7 a machine with %s is told as it is, and the others are shown', async (_, change) => {
  const { json, url, faults } = await inspected(await historyOf(join(await journalWith(change), '..')));
  for (const path of [
    '/about',
    '/shoots',
    '/episodes',
    '/outages',
    `/shoots/${one}/turns`,
    `/shoots/${one}/turns?most=3`,
  ]) {
    const answer = await fetch(`${url}${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
    JSON.parse(await answer.text());
  }
  expect(((await json(`/shoots/${calm}/turns`)) as { turns: unknown[] }).turns).toHaveLength(40);
  expect(faults).toEqual([]);
});

test.each(nonsense)('9.6 a replay of a machine with %s does not break off', async (_, change) => {
  const file = await journalWith(change);
  for (const flags of [
    [],
    ['--all'],
    ['--outages'],
    ['--json'],
    ['--outages', '--json'],
    [`--explain=${one}@2100-01-01T00:00:00Z`],
  ]) {
    const { code, out, err } = await replay([...flags, file]);
    // The one turn that is explained may be sound.
    expect([flags, code]).toEqual([flags, flags[0]?.startsWith('--explain') === true ? code : 1]);
    expect(`${out}${err}`).not.toBe('');
  }
});

test.each(['\u001b[2J\u001b]0;mine\u0007', 'a\rb\nc', '\u009b31m', '\u202eevil', '\u2028'])(
  '9.6 9.7 a name with %j reaches no terminal as it is',
  async (name) => {
    const file = await journalWith((line) =>
      JSON.parse(JSON.stringify(line).replaceAll('node-', JSON.stringify(name).slice(1, -1))),
    );
    const told = await journalWith((line) => ({ ...line, subject: name }));
    for (const flags of [['--all'], ['--outages'], ['--json'], [`--explain=${one}@2100-01-01T00:00:00Z`]])
      for (const path of [file, told]) {
        const { out, err } = await replay([...flags, path]);
        expect(`${out}${err}`.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
        if (flags[0] === '--json') for (const line of out.trim().split('\n')) JSON.parse(line);
      }
  },
);

test('9.6 a line of JSON is the same after it was made safe for a terminal', () => {
  const value = { '\u009b': 'täglich 🚀 \u0000\u202e' };
  expect(terminalLine('täglich 🚀')).toBe('täglich 🚀');
  expect(JSON.parse(terminalLine(JSON.stringify(value)))).toEqual(value);
});

test('9.7 a pipe that is given as a file is refused with what to do, and not waited for', async () => {
  // A device is none either, and is there on each machine.
  const pipe = '/dev/null';
  const { io, err } = heardIo();
  const none = (async function* (): AsyncGenerator<Uint8Array> {})();
  const code = await runInspect([pipe], io, {
    stdin: none,
    clock: new VirtualClock(),
    interrupted: () => new Promise(() => undefined),
  });
  expect([code, err]).toEqual([
    1,
    [expect.stringContaining(`${pipe} is no file; let its bytes come from the standard input: - < `)],
  ]);
});
