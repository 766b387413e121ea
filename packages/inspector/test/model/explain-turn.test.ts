import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRules } from '../../../../hack/rules/read-rules.ts';
import { turnTitle } from '../../model/explanation/turn-title.ts';
import { explainTurn } from '../../model/explanation/explain-turn.ts';
import type { TransitionName } from '../../model/explanation/explanation.ts';
import { ruleTitles } from '../../model/explanation/rules.ts';
import { replayTurns, explainCommand, recordedLine, type ReadFrom } from '../../model/replayed-turn.ts';
import { pureMachines, type ShootLanguage, type WeederLanguage } from 'dependency-watchdog/machines/kinds.ts';
import { meltdown, recovery } from '@dwd/testing/recorded-nights.ts';
import { factText } from './asked-turns.ts';
import { contextChanges } from '../../model/explanation/context-changes.ts';

const specification = readFileSync(join(import.meta.dirname, '../../../../docs/specification.md'), 'utf8');

test('9.7 the rules that guards name are rules of the specification, with their headings', () => {
  const { rules } = readRules(specification);
  const headings = new Map(rules.map(({ id, title }) => [id, title.replace(' (+)', '').replaceAll("'", '’')]));
  expect(Object.entries(ruleTitles).map(([id, title]) => [id, title])).toEqual(
    Object.keys(ruleTitles).map((id) => [id, headings.get(id)]),
  );
});

/** Each turn of a story, as a journal would give it, with its explanation. */
async function explained(kind: 'shoot' | 'weeder') {
  const turns = kind === 'shoot' ? await meltdown() : await recovery();
  const written = turns.map((turn) => JSON.parse(JSON.stringify({ ...turn, run: 'a' })));
  const explanations =
    kind === 'shoot'
      ? replayTurns<ShootLanguage>(pureMachines.shoot, written).map((one) => explainTurn('shoot', one))
      : replayTurns<WeederLanguage>(pureMachines.weeder, written).map((one) => explainTurn('weeder', one));
  return explanations.map((explanation, index) => ({ turn: turns[index]!, explanation }));
}

/** Not of a pod's own. */
const isOfChart = (one: object) => !('decides' in one);

describe.each(['shoot', 'weeder'] as const)('9.7 L3 each turn of a %s', (kind) => {
  test('is explained by guards that lead where the turn led', async () => {
    const told = await explained(kind);
    const ofMachine = told.filter(({ turn }) => turn.event.type !== 'started' && turn.event.type !== 'ended');
    expect(told.filter(({ explanation }) => explanation.missing === undefined)).toEqual(ofMachine);
    for (const { turn, explanation } of ofMachine) {
      expect(explanation.after).toEqual(turn.after);
      const asked = explanation.guards.filter((one) => one.answer && isOfChart(one)).map(transition);
      expect(explanation.taken.map(transition)).toEqual(expect.arrayContaining(asked));
    }
    const because = (explanation: (typeof told)[number]['explanation']) =>
      explanation.decidedBy.map((index) => explanation.guards[index]!).filter(isOfChart);
    for (const { turn, explanation } of ofMachine) {
      const stays = turn.from === turn.to || turn.event.type === 'cluster.gone' || turn.event.type === 'service.gone';
      expect(because(explanation).length === 0).toBe(stays);
      expect(because(explanation).every(({ answer, to }) => answer && to !== undefined)).toBe(true);
      expect(because(explanation).at(-1)?.to?.split('.').at(-1)).toBe(stays ? undefined : turn.to);
    }
    const moved = ofMachine.filter(({ turn }) => turn.from !== turn.to);
    expect(moved.length).toBeGreaterThan(2);
    expect(moved.map(({ explanation }) => explanation.taken.at(-1)?.to?.split('.').at(-1))).toEqual(
      moved.map(({ turn }) => turn.to),
    );
  });

  test('has words for each value, and nothing but words', async () => {
    for (const { explanation } of await explained(kind)) {
      const { guards, decision } = explanation;
      for (const { question } of guards) expect(question).toMatch(/^[A-Z].*\?$/);
      expect(guards.filter(({ rules, saw }) => rules.length === 0 || saw.length === 0)).toEqual([]);
      const texts = [...guards.flatMap(({ saw }) => saw), ...decision].map(factText);
      expect(texts.filter((text) => /undefined|NaN|null|\[object|: $/.test(text))).toEqual([]);
    }
  });
});

function transition({ state, event, index }: TransitionName): string {
  return `${state} ${event} ${index}`;
}

const at = 1_790_000_000_000;

/** `path: before → after`, an instant with an @ before it. */
function told(before: unknown, after: unknown): readonly string[] {
  const { changes, leftOut } = contextChanges(before, after);
  const words = ({ text, at: instant }: (typeof changes)[number]['after']) =>
    instant === undefined ? text : `@${instant}${text}`;
  return [
    ...changes.map(({ path, ...one }) => `${path}: ${words(one.before)} → ${words(one.after)}`),
    ...(leftOut === 0 ? [] : [`and ${leftOut} more`]),
  ];
}

test.each<readonly [string, unknown, unknown, readonly string[]]>([
  ['what is the same', { a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 }, []],
  ['a number', { a: { b: 1 } }, { a: { b: 2 } }, ['a.b: 1 → 2']],
  ['a truth', { live: false }, { live: true }, ['live: no → yes']],
  ['a text', { streak: { of: 'connected' } }, { streak: { of: 'cutOff' } }, ['streak.of: connected → cutOff']],
  ['an instant', { nextAt: at }, { nextAt: at + 1 }, [`nextAt: @${at} → @${at + 1}`]],
  ['an instant by another name', { heldUntil: null }, { heldUntil: at }, [`heldUntil: nothing → @${at}`]],
  ['an instant that never was', { filledAt: 0 }, { filledAt: at }, [`filledAt: never → @${at}`]],
  ['a length of time', { clockAhead: 0 }, { clockAhead: 4_250 }, ['clockAhead: 0.0 s → 4.3 s']],
  ['a count whose name is like an instant’s', { format: 1 }, { format: 2 }, ['format: 1 → 2']],
  [
    'what comes',
    { flow: null },
    { flow: { aim: 'down', level: 0 } },
    ['flow.aim: nothing → down', 'flow.level: nothing → 0'],
  ],
  ['what goes', { outage: { crossedAt: at } }, {}, [`outage.crossedAt: @${at} → nothing`]],
  ['null for what was not there', {}, { refusal: null, a: 1 }, ['a: nothing → 1']],
  [
    'a dependant',
    { known: { 'apps/v1/Deployment/kcm': { writing: null } } },
    { known: { 'apps/v1/Deployment/kcm': { writing: 4 } } },
    ['known.kcm.writing: nothing → 4'],
  ],
  ['a list of names', { missing: [] }, { missing: ['apps/v1/Deployment/kcm', 'b'] }, ['missing: none → kcm, b']],
  [
    'a lease, wherever it stands in its list',
    {
      leases: [
        { node: 'a', renewedAt: at },
        { node: 'b', renewedAt: at },
      ],
    },
    {
      leases: [
        { node: 'b', renewedAt: at + 5 },
        { node: 'a', renewedAt: at },
      ],
    },
    [`leases[b].renewedAt: @${at} → @${at + 5}`],
  ],
  [
    'the first of a list',
    { pods: [] },
    { pods: [{ pod: { name: 'kcm-1', uid: 'u' }, crashLooping: true }] },
    [
      'pods[kcm-1].pod.name: nothing → kcm-1',
      'pods[kcm-1].pod.uid: nothing → u',
      'pods[kcm-1].crashLooping: nothing → yes',
    ],
  ],
  [
    'one of two that share a name',
    { pods: [{ name: 'kcm', uid: 'a', n: 1 }] },
    {
      pods: [
        { name: 'kcm', uid: 'a', n: 1 },
        { name: 'kcm', uid: 'b', n: 2 },
      ],
    },
    ['pods[kcm, 1].name: nothing → kcm', 'pods[kcm, 1].uid: nothing → b', 'pods[kcm, 1].n: nothing → 2'],
  ],
  ['a tree that becomes a value', { a: { b: 1 } }, { a: 2 }, ['a: {"b":1} → 2']],
  ['a field that is markup', {}, { '<b>': '<i>' }, ['<b>: nothing → <i>']],
])('9.7 %s is told', (_, before, after, lines) => {
  expect(told(before, after)).toEqual(lines);
});

const leases = (count: number, renewedAt: number) =>
  Array.from({ length: count }, (_, index) => ({ node: `node-${index}`, renewedAt }));

test('9.7 of a long list the first ten are told, and the others counted', () => {
  const lines = told({ seen: { leases: leases(1_000, at) }, n: 1 }, { seen: { leases: leases(1_000, at + 1) }, n: 2 });
  expect(lines).toHaveLength(12);
  expect(lines.slice(-2)).toEqual(['n: 1 → 2', 'and 990 more']);
});

const fields = (value: number) => Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`f${index}`, value]));

test('9.7 beyond two hundred changes the others are counted', () => {
  const lines = told(fields(1), fields(2));
  expect(lines).toHaveLength(201);
  expect(lines.at(-1)).toBe('and 50 more');
});

test('9.7 a long text, name or list is cut', () => {
  const [line = ''] = told({ record: '' }, { record: 'x'.repeat(5_000) });
  expect(line).toHaveLength('record:  → '.length + 201);
  expect(told({}, { ['y'.repeat(5_000)]: 1 })[0]).toHaveLength(201 + ': nothing → 1'.length);
  const names = Array.from({ length: 30 }, (_, index) => `n${index}`);
  expect(told({ names: [] }, { names })).toEqual(['names: none → n0, n1, n2, n3, n4, n5, n6, n7, n8, n9 and 20 more']);
});

const turnAt = Date.parse('2026-11-21T20:07:57.153Z');
const turn = {
  kind: 'shoot',
  subject: 'shoot--dev--one',
  run: 'r.1-2',
  seq: 33,
  at: turnAt + 0.6,
  event: { type: 'woken', at: turnAt + 0.6 },
  to: 'probing',
  commands: [],
  notes: [],
};

const command = 'dependency-watchdog replay --explain shoot--dev--one@2026-11-21T20:07:57.153Z#33';
const many = [1, 2, 3, 4].map((number) => `/var/log/dwd/dwd-prober-${number}.jsonl`);

test.each<readonly [ReadFrom, string]>([
  [{ files: [] }, `${command} FILE`],
  [{ files: ['standard input'] }, `${command} FILE`],
  [{ files: ['dwd-prober-1.jsonl'] }, `${command} dwd-prober-1.jsonl`],
  [{ files: ['a.jsonl', '/var/b c.jsonl'] }, `${command} a.jsonl '/var/b c.jsonl'`],
  [{ files: ["it's$(x).jsonl"] }, `${command} 'it'\\''s$(x).jsonl'`],
  [{ files: many }, `${command} /var/log/dwd/`],
  [{ files: [...many, '/srv/other.jsonl'] }, `${command} /var/log/dwd/ /srv/`],
  [{ files: ['a.jsonl', 'b.jsonl.gz'] }, `${command} a.jsonl b.jsonl.gz`],
  [{ process: 'http://127.0.0.1:9645' }, `curl -s http://127.0.0.1:9645/journal | ${command} -`],
])('9.7 of %j the command that shows a turn names its time and number, and is safe to paste', (from, text) => {
  expect(explainCommand(turn, from)).toBe(text);
});

test('9.7 it calls the program as it was called, and a strange name does nothing', () => {
  const strange = { ...turn, subject: 'a; rm x' };
  expect(explainCommand(strange, { files: ['a.jsonl'] }, 'npx node src/main.ts')).toBe(
    "npx node src/main.ts replay --explain 'a; rm x@2026-11-21T20:07:57.153Z#33' a.jsonl",
  );
});

test('9.7 the line of a turn is the one that was recorded', () => {
  const { run: _run, ...recorded } = turn;
  expect(recordedLine(turn)).toBe(JSON.stringify(recorded));
});

test('9.7 a turn is headed by what it decided, with what it took; one that said nothing has no title', async () => {
  const written = (await meltdown()).map((turn) => JSON.parse(JSON.stringify({ ...turn, run: 'a' })));
  const titles = replayTurns<ShootLanguage>(pureMachines.shoot, written).map((one) => turnTitle('shoot', one));
  expect(titles).toContain('Cut off: 3 of 5 leases are 30.0 s old or older, 60 % are needed');
  expect(titles.some((title) => title?.startsWith('Everything is '))).toBe(true);
  expect(titles).toContain(undefined);
});
