import type { Started } from '../../effects/turn.ts';
import { pureMachines, type ShootLanguage, type ShootOutcome } from '../../machines/kinds.ts';
import type { PlainOf } from '../../machines/pure-machine.ts';
import type { ShootCommands, ShootEvent, ShootInput, ShootNote, ShootState } from '../../machines/shoot-language.ts';

/** One event, and what the machine made of it. */
export type Step = Readonly<{
  event: ShootEvent | Started<ShootInput>;
  to: ShootState;
  commands: readonly ShootLanguage['Command'][];
  notes: readonly ShootNote[];
}>;

/** What came of an event, and where the machine stands then. */
export type Course = Readonly<{
  steps: readonly Step[];
  place: PlainOf<ShootLanguage>;
  /** The look whose answer the machine waits for; undefined where there is none. */
  looking: ShootCommands['listCandidates'] | undefined;
}>;

const machine = pureMachines.shoot;

export function firstStep(event: Started<ShootInput>): Course {
  return after([], event, machine.first(event.input));
}

/** The same machine takes one more event. Throws where the place is none of this machine's. */
export function nextStep({ steps, place }: Pick<Course, 'steps' | 'place'>, event: ShootEvent): Course {
  return after(steps, event, machine.take(machine.restore(place), event));
}

function after(
  steps: readonly Step[],
  event: Step['event'],
  { snapshot, state: to, commands, notes }: ShootOutcome,
): Course {
  const all = [...steps, { event, to, commands, notes }];
  const asked = all.flatMap((step) => step.commands).findLast((each) => each.type === 'listCandidates');
  const isLooking = snapshot.value.probe === 'looking';
  return { steps: all, place: machine.plain(snapshot), looking: isLooking ? asked?.params : undefined };
}
