import { describe, expect, test } from 'vitest';
import {
  agreementOf,
  agreementOfFiles,
  agreementWords,
  joinAgreements,
  noAgreement,
} from '../../../page/client/replay.ts';
import { findNames } from '../../../page/client/server-state.ts';
import { replayTurns } from '../../../model/replayed-turn.ts';
import { pureMachines, type ShootLanguage } from 'dependency-watchdog/machines/kinds.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';

const input = { shoot: 'one', config: gardenerConfig, followed: false, chance: 7 };
const turn = (seq: number, event: unknown, to = 'idle') =>
  ({
    seq,
    at: seq,
    kind: 'shoot',
    subject: 'one',
    event,
    from: 'idle',
    to,
    commands: [],
    notes: [],
    run: 'r',
  }) as never;
const first = turn(1, { type: 'started', at: 1, input });
const watched = (seq: number, to?: string) => turn(seq, { type: 'cluster.watched', at: seq, live: true }, to);
const agreed = (...turns: never[]) => agreementOf('shoot', replayTurns<ShootLanguage>(pureMachines.shoot, turns));
const differs = (subject: string, at: number) =>
  ({ kind: 'shoot', subject, run: 'r', seq: 1, at, in: 'notes' }) as const;

describe('whether a replay agrees', () => {
  test.each([
    ['all turns', agreed(first, watched(2)), 'replay agrees: 2 turns', null],
    ['one turn', agreed(first), 'replay agrees: 1 turn', null],
    ['turns without a beginning', agreed(watched(2)), 'replay has no beginning', null],
    ['no turn', agreed(), 'nothing to replay', null],
    [
      'a state that was recorded otherwise',
      agreed(first, watched(2, 'probing'), watched(3, 'scaledDown')),
      'replay differs: one, in its state',
      { kind: 'shoot', subject: 'one', run: 'r', seq: 2, at: 2, in: 'state' },
    ],
  ])('%s', (_, agreement, words, differing) => {
    expect(agreementWords(agreement)).toBe(words);
    expect(agreement.first).toEqual(differing);
  });

  test('of several machines, the first difference is that of the earliest instant, and turns are added up', () => {
    const one = { checked: 3, withoutBeginning: 1, first: differs('a', 7) };
    const other = { checked: 4, withoutBeginning: 0, first: differs('b', 3) };
    const sum = { checked: 7, withoutBeginning: 1 };
    expect(joinAgreements(one, other)).toEqual({ ...sum, first: other.first });
    expect(joinAgreements(other, one)).toEqual({ ...sum, first: other.first });
    expect(joinAgreements(one, { ...other, first: null })).toEqual({ ...sum, first: one.first });
    expect(joinAgreements(noAgreement, one)).toEqual(one);
  });

  test('of files, the first difference is that of the earliest instant', () => {
    const agreement = agreementOfFiles({
      checked: 9,
      withoutBeginning: 1,
      differences: [differs('b', 7), differs('a', 3)],
    });
    expect(agreementWords(agreement)).toBe('replay differs: a, in its notes');
  });
});

describe('a machine is found by its name', () => {
  const names = ['shoot--prod--one', 'shoot--dev--prod', 'prod', 'produce', 'shoot--dev--two/etcd'].map((subject) => ({
    kind: subject.includes('/') ? ('weeder' as const) : ('shoot' as const),
    subject,
  }));
  const found = (text: string, most = 9) => findNames(names, text, most).map(({ subject }) => subject);

  test.each([
    ['prod', ['prod', 'produce', 'shoot--dev--prod', 'shoot--prod--one']],
    ['PROD one', ['shoot--prod--one']],
    ['etcd', ['shoot--dev--two/etcd']],
    ['oot--dev', ['shoot--dev--prod', 'shoot--dev--two/etcd']],
    ['  ', []],
    ['nobody', []],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  test('at most so many', () => {
    expect(found('o', 2)).toHaveLength(2);
  });
});
