import { createReadStream } from 'node:fs';
import { expect, test } from 'vitest';
import { readJournal } from '../../../src/adapters/journal/read-journal.ts';
import { pureMachines, type Languages } from '../../../src/machines/kinds.ts';
import type { JournalTurns } from '../../../src/adapters/journal/journal-line.ts';
import { retakeTurns } from '../../../src/inspector/told/retaken.ts';
import { whatIf } from '../../../src/inspector/told/what-if.ts';
import { whyNotDeleted } from '../../../src/inspector/told/why-not-deleted.ts';
import { whyNotScaled } from '../../../src/inspector/told/why-not.ts';
import { whyNoWindow } from '../../../src/inspector/told/why-not-window.ts';

// Written by real programs of these versions, on the simulator's seed.
const shoots = [
  'version-2/prober-3',
  'version-2/prober-5',
  'version-2/prober-6',
  'version-3/prober',
  'version-4/prober',
];
const services = ['version-2/weeder', 'version-3/weeder', 'version-4/weeder'];

/** The turns of each machine of a recorded journal, in their order. */
async function recorded<Kind extends keyof Languages>(name: string, kind: Kind) {
  const bytes = createReadStream(new URL(`../../observers/${name}.jsonl`, import.meta.url));
  const bySubject = new Map<string, (JournalTurns<Languages>[Kind] & { run: string })[]>();
  let run = '';
  for await (const entry of readJournal({ name, bytes })) {
    if (entry.kind === 'header') run = entry.header.run;
    if (entry.kind !== 'turn') continue;
    const turn = entry.turn as JournalTurns<Languages>[Kind];
    bySubject.set(turn.subject, [...(bySubject.get(turn.subject) ?? []), { ...turn, run }]);
  }
  return [...bySubject.values()].map((turns) =>
    retakeTurns<Languages[Kind]>(pureMachines[kind] as never, turns as never),
  );
}

test.each(shoots)(
  'L3 9.7 of a recorded journal each turn is answered for, and unchanged it comes out as it was: %s',
  async (name) => {
    let went = 0;
    for (const turns of await recorded(name, 'shoot'))
      for (const [index, { turn }] of turns.entries()) {
        const unchanged = whatIf(turns, index, {});
        const same = turn.event.type === 'ended' ? { ok: false } : { ok: true, differs: 'same', assumed: [] };
        expect({ turn, unchanged }).toMatchObject({ unchanged: same });
        for (const direction of ['down', 'up'] as const) {
          const { outcome, answer, obstacles } = whyNotScaled(turns, index, direction);
          went += Number(outcome === 'did');
          expect(answer).toMatch(/\.$/);
          expect(obstacles.map(({ kind }) => kind)).not.toContain('unreadable');
        }
      }
    expect(went).toBeGreaterThan(1);
  },
);

test.each(services)('9.7 of a recorded journal of the weeder each turn is answered for: %s', async (name) => {
  let deleted = 0;
  for (const turns of await recorded(name, 'weeder'))
    for (const [index, { turn, after }] of turns.entries()) {
      const why = whyNotDeleted(turns, index, '');
      const isDeleting = turn.commands.some(({ type }) => type === 'deletePod');
      deleted += Number(isDeleting);
      expect({ turn, did: why.outcome === 'did' }).toMatchObject({ did: isDeleting });
      const window = whyNoWindow(turns, index);
      const isOpen = after?.context.window != null;
      expect({ turn, open: window.outcome !== 'hindered' }).toMatchObject({ open: isOpen });
      for (const { answer, obstacles } of [why, window]) {
        expect(answer).toMatch(/\.$/);
        expect(obstacles.map(({ kind }) => kind)).not.toContain('unreadable');
      }
    }
  expect(deleted).toBeGreaterThan(0);
});
