import type { AnyStateMachine } from 'xstate';
import type { Languages } from '../../../machines/kinds.ts';
import { shootMachine } from '../../../machines/shoot.ts';
import { weederMachine } from '../../../machines/weeder.ts';
import type { TakenTransition } from '../../told/explanation.ts';
import type { RetakenTurn } from '../../told/retaken.ts';
import { tracedMachine } from '../../told/traced-machine.ts';
import type { Kind } from '../../wire/wire.ts';

const machines: Readonly<Record<Kind, AnyStateMachine>> = { shoot: shootMachine, weeder: weederMachine };
const traces = new Map<Kind, ReturnType<typeof tracedMachine>>();

/** The transitions that a turn took; none where nothing tells where the machine stood, or the runtime took it. */
export function takenOf<Of extends Kind>(
  kind: Of,
  { turn: { event }, before }: RetakenTurn<Languages[Of]>,
): readonly TakenTransition[] {
  if (before === undefined || event.type === 'started' || event.type === 'ended') return [];
  const trace = traces.get(kind) ?? tracedMachine(machines[kind]);
  traces.set(kind, trace);
  return trace(before, event).taken;
}
