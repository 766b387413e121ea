import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRules } from '../../../hack/rules/read-rules.ts';
import { explainTurn } from '../../../src/inspector/model/explanation/explain-turn.ts';
import type { TransitionName } from '../../../src/inspector/model/explanation/explanation.ts';
import { ruleTitles } from '../../../src/inspector/model/explanation/rules.ts';
import { replayTurns } from '../../../src/inspector/model/replayed-turn.ts';
import { pureMachines, type ShootLanguage, type WeederLanguage } from '../../../src/machines/kinds.ts';
import { meltdown } from '../../observers/story.ts';
import { recovery } from '../../observers/weeder-story.ts';
import { factText } from './explain-stage.ts';

const specification = readFileSync(join(import.meta.dirname, '../../../docs/specification.md'), 'utf8');

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

describe.each(['shoot', 'weeder'] as const)('9.7 L3 each turn of a %s', (kind) => {
  test('is explained by guards that lead where the turn led', async () => {
    const told = await explained(kind);
    const ofMachine = told.filter(({ turn }) => turn.event.type !== 'started' && turn.event.type !== 'ended');
    expect(told.filter(({ explanation }) => explanation.missing === undefined)).toEqual(ofMachine);
    for (const { turn, explanation } of ofMachine) {
      expect(explanation.after).toEqual(turn.after);
      const asked = explanation.guards.filter(({ answer }) => answer).map(transition);
      expect(explanation.taken.map(transition)).toEqual(expect.arrayContaining(asked));
    }
    const because = (explanation: (typeof told)[number]['explanation']) =>
      explanation.decidedBy.map((index) => explanation.guards[index]!);
    for (const { turn, explanation } of ofMachine) {
      const stays = turn.from === turn.to || turn.event.type === 'cluster.gone' || turn.event.type === 'service.gone';
      expect(explanation.decidedBy.length === 0).toBe(stays);
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
