import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRules } from '../../../hack/rules/read-rules.ts';
import { explainTurn } from '../../../src/inspector/told/explain-turn.ts';
import { guardRules } from '../../../src/inspector/told/guard-rules.ts';
import { retakeTurns } from '../../../src/inspector/told/retaken.ts';
import { pureMachines, type Languages } from '../../../src/machines/kinds.ts';
import { meltdown } from '../../observers/story.ts';
import { recovery } from '../../observers/weeder-story.ts';
import { factText } from './explain-stage.ts';

const specification = readFileSync(join(import.meta.dirname, '../../../docs/specification.md'), 'utf8');

test('9.7 the rules that guards name are rules of the specification, with their headings', () => {
  const { rules } = readRules(specification);
  const headings = new Map(rules.map(({ id, title }) => [id, title.replace(' (+)', '').replaceAll("'", '’')]));
  expect(Object.entries(guardRules).map(([id, title]) => [id, title])).toEqual(
    Object.keys(guardRules).map((id) => [id, headings.get(id)]),
  );
});

const stories = {
  shoot: () => meltdown(),
  weeder: () => recovery(),
};

describe.each(['shoot', 'weeder'] as const)('9.7 L3 each turn of a %s', (kind) => {
  const explained = async () => {
    const turns = (await stories[kind]()).map(({ before: _, after, ...turn }) => ({
      turn: { ...turn, run: 'a' },
      after,
    }));
    const retaken = retakeTurns<Languages[typeof kind]>(
      pureMachines[kind] as never,
      turns.map(({ turn }) => turn) as never,
    );
    return retaken.map((one, index) => ({
      turn: one.turn,
      after: turns[index]!.after,
      explanation: explainTurn(kind, one as never),
    }));
  };

  test('is explained by guards that lead where the turn led', async () => {
    for (const { turn, after, explanation } of await explained()) {
      const isOfRuntime = turn.event.type === 'started' || turn.event.type === 'ended';
      expect(explanation.missing !== undefined, turn.event.type).toBe(isOfRuntime);
      expect(explanation.after).toEqual(turn.event.type === 'ended' ? undefined : after);
      const taken = explanation.guards.filter(({ answer }) => answer);
      for (const { state, event, index } of taken)
        expect(explanation.taken).toContainEqual(expect.objectContaining({ state, event, index }));
      if (turn.from !== undefined && turn.from !== turn.to && !isOfRuntime)
        expect(explanation.taken.at(-1)!.to?.split('.').at(-1), `${turn.seq}`).toBe(turn.to);
    }
  });

  test('has words that are no more than words', async () => {
    for (const { explanation } of await explained()) {
      for (const { question, rules, saw } of explanation.guards) {
        expect(question).toMatch(/^[A-Z].*\?$/);
        expect(rules.length).toBeGreaterThan(0);
        expect(saw.length).toBeGreaterThan(0);
        for (const one of saw) expect(factText(one)).not.toMatch(/undefined|NaN|null|\[object/);
      }
      for (const one of explanation.decision) expect(factText(one)).not.toMatch(/undefined|NaN|null|\[object/);
    }
  });
});
