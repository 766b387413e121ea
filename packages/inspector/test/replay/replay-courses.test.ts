import { expect, test } from 'vitest';
import { machineReplay, type Replayed } from '../../journal/machine-replay.ts';
import type { JournalTurnOf } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import type { Language, PureMachine } from 'dependency-watchdog/machines/pure-machine.ts';

/** What comes of a turn whose machine has this note to say now, where the journal has that one. */
function replayed(says: unknown, recorded: unknown): Replayed {
  const outcome = { snapshot: { value: 'idle', context: 0 }, state: 'idle', commands: [], notes: [says] } as const;
  const machine = {
    first: () => outcome,
    take: () => outcome,
    restore: (plain: unknown) => plain,
    plain: (snapshot: unknown) => snapshot,
  } as unknown as PureMachine<Language>;
  const turn = { seq: 1, at: 1, kind: 'shoot', subject: 'shoot--a', to: 'idle', commands: [], notes: [recorded] };
  const started = { type: 'started', at: 1, input: {} };
  return machineReplay(machine).take({ ...turn, event: started } as unknown as JournalTurnOf<Language>, 1);
}

const note = { kind: 'told', text: 'as it was', count: 3 };

test.each([
  ['nothing to hide', note, note],
  ['in another order', note, { count: 3, text: 'as it was', kind: 'told' }],
  ['a field without a value', { ...note, nothing: undefined }, note],
  ['a number that JSON lacks', { ...note, count: Infinity }, { ...note, count: null }],
  ['the zero below zero', { ...note, count: -0 }, { ...note, count: 0 }],
  ['a secret', { ...note, text: 'https://one:two@host' }, { ...note, text: 'https://[hidden]@host' }],
])('9.6 L3 a note comes out as the journal wrote it: %s', (_, says, recorded) => {
  expect(replayed(says, recorded)).toEqual({ outcome: 'same' });
});

test.each([
  ['another value', { ...note, count: 4 }],
  ['one field more', { ...note, more: 1 }],
  ['one field less', { kind: 'told', count: 3 }],
  ['other fields', { first: note }],
])('9.6 L3 what came out otherwise is told as JSON has it, and hides secrets: %s', (_, recorded) => {
  const says = { ...note, detail: 'https://one:two@host', nothing: undefined };
  expect(replayed(says, { ...recorded, detail: 'https://[hidden]@host' })).toEqual({
    outcome: 'differs',
    difference: {
      in: 'notes',
      recorded: [{ ...recorded, detail: 'https://[hidden]@host' }],
      replayed: [{ ...note, detail: 'https://[hidden]@host' }],
    },
  });
});
