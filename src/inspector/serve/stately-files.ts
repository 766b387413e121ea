import type { Upgrade } from '../../adapters/http/upgrades.ts';
import type { Instant } from '../../domain/time.ts';
import { pureMachines, type ShootLanguage, type WeederLanguage } from '../../machines/kinds.ts';
import { retakeTurns } from '../told/retaken.ts';
import type { Kind, WireTurnOf } from '../wire/wire.ts';
import { askedSpan, BadQuery } from './asked-span.ts';
import type { History } from './history.ts';
import { statelyChoice } from './stately-choice.ts';
import { statelyDoor, type StatelyDoorOptions } from './stately-door.ts';
import { actorMessage, turnMessages } from './stately-messages.ts';
import type { StatelyReader } from './stately-reader.ts';

/**
 * Tells recorded turns as messages of `@statelyai/inspect`: of the machines that a reader names, one after the other, at the reader's pace.
 * What is recorded is taken again (SPEC 9.6), since a journal has only a machine's first snapshot.
 */
export function statelyFiles(
  history: Pick<History, 'turnsOf'>,
  { now, ...options }: Pick<StatelyDoorOptions, 'onFault'> & Readonly<{ now: () => Instant }>,
): Upgrade {
  return statelyDoor({
    ...options,
    async begin(query) {
      const choice = statelyChoice(query, ['from', 'until', 'most']);
      if (choice === undefined) throw new BadQuery('name a machine: ?shoot=NAME or ?service=NAMESPACE/NAME');
      const span = askedSpan(query, now());
      for (const machine of choice) {
        const one = await history.turnsOf(machine, { ...span, most: 1 });
        if (one === undefined) throw new BadQuery(`no event of ${machine.subject} is recorded`);
      }
      return async (reader) => {
        // Each is found when it is its turn: all of them together may be too much for the memory.
        for (const machine of choice) {
          if (!reader.isThere()) return;
          const found = await history.turnsOf(machine, span);
          await tell(machine.kind, found?.turns ?? [], reader);
        }
      };
    },
  });
}

async function tell(kind: Kind, lines: readonly string[], reader: StatelyReader): Promise<void> {
  for (const [index, { turn, before, after }] of retaken(kind, lines).entries()) {
    if (!reader.isThere()) return;
    const { subject, seq, at, event } = turn;
    const machine = { kind, subject };
    if (index === 0 || event.type === 'started') await reader.deliver(actorMessage(machine, at, before ?? after));
    for (const text of turnMessages({ ...machine, seq, at, event, after })) await reader.deliver(text);
  }
}

function retaken(kind: Kind, lines: readonly string[]) {
  switch (kind) {
    case 'shoot':
      return retakeTurns<ShootLanguage>(pureMachines.shoot, lines.map(parsed<'shoot'>));
    case 'weeder':
      return retakeTurns<WeederLanguage>(pureMachines.weeder, lines.map(parsed<'weeder'>));
  }
}

function parsed<Of extends Kind>(line: string): WireTurnOf<Of> {
  return JSON.parse(line) as WireTurnOf<Of>;
}
