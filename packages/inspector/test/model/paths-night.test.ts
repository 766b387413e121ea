import { describe, expect, test } from 'vitest';
import { pureMachines, type ShootLanguage } from 'dependency-watchdog/machines/kinds.ts';
import { shootLanes } from '../../model/timeline/shoot-lanes.ts';
import { explainTurn } from '../../model/explanation/explain-turn.ts';
import { replayTurns } from '../../model/replayed-turn.ts';
import { whatIf } from '../../model/questions/what-if.ts';
import { whyNotScaled } from '../../model/questions/why-not.ts';
import { playPaths } from '@dwd/testing/played-shoots.ts';
import { nightBegins } from '@dwd/testing/journal-driver.ts';

const turns = replayTurns<ShootLanguage>(
  pureMachines.shoot,
  (await playPaths(nightBegins)).map(({ seq, at, kind, subject, event, from, to, commands, notes }) => {
    const came = from === undefined ? {} : { from };
    return { seq, at, kind, subject, event, ...came, to, commands, notes, run: 'one' };
  }),
);

test('L3 4.9 9.7 a night of two paths is taken again as it was', () => {
  expect(turns.map(({ replayed }) => replayed.outcome).filter((outcome) => outcome !== 'same')).toEqual([]);
});

test('4.9 9.7 of a night of two paths each turn is answered for, and unchanged it comes out as it was', () => {
  let went = 0;
  for (const [index, { turn }] of turns.entries()) {
    const unchanged = whatIf(turns, index, {});
    expect({ turn, unchanged }).toMatchObject({ unchanged: { ok: true, differs: 'same', assumed: [] } });
    for (const direction of ['down', 'up'] as const) {
      const { outcome, answer, obstacles } = whyNotScaled(turns, index, direction);
      went += Number(outcome === 'did');
      expect(answer).toMatch(/\.$/);
      expect(obstacles.map(({ kind }) => kind)).not.toContain('unreadable');
    }
  }
  // Two levels went down, and three came up again; a second write each took mark and record away.
  expect(went).toBe(8);
});

test('4.9 9.7 of a night of two paths each turn is explained, with no guard without words', () => {
  for (const one of turns) {
    const { guards, missing } = explainTurn('shoot', one);
    expect(guards.every(({ question, rules }) => question.endsWith('?') && rules.length > 0)).toBe(true);
    expect(missing === undefined).toBe(one.turn.event.type !== 'started');
  }
});

describe('4.9 9.7 the lanes of a night of two paths', () => {
  const builder = shootLanes();
  for (const one of turns) builder.take(one);
  const { first, many } = builder.lanes();
  const lane = (id: string) => first.find((one) => one.id === id)!;
  const labels = (id: string) => lane(id).spans.map(({ tone, label }) => `${tone} ${label}`);

  test('have one for each path in place of the leases', () => {
    expect(first.map(({ name }) => name)).toEqual([
      'state',
      'probe',
      'internal path',
      'external path',
      'kube-controller-manager',
      'machine-controller-manager',
      'cluster-autoscaler',
    ]);
    expect(many).toEqual([]);
  });

  test('show how often in a row the external path failed, until it is often enough, and that it was not asked while the internal one failed', () => {
    expect(labels('path external')).toEqual([
      'calm answers',
      'cutOff unreachable 1 of 3',
      'cutOff unreachable 2 of 3',
      'cutOff unreachable 3 of 3',
      'calm answers',
      'quiet not asked',
      'calm answers',
    ]);
    expect(labels('path internal')).toEqual([
      'calm answers',
      'failed unreachable 1 of 3',
      'failed unreachable 2 of 3',
      'failed unreachable 3 of 3',
      'calm answers',
    ]);
  });
});
