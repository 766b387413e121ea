import type { SnapshotFrom } from 'xstate';
import { flowWakeAt } from '../domain/prober/scale-flow.ts';
import type { ShootNamespace } from '../domain/names.ts';
import { earliest, type Instant } from '../domain/time.ts';
import type { ServiceKey } from '../domain/weeder/service-ref.ts';
import { probeDueAt } from './probe-plan.ts';
import { probeLostAt } from './probe-under-way.ts';
import { pureMachine, type OutcomeOf, type PureMachine } from './pure-machine.ts';
import { recheckAt } from './dependants.ts';
import { flowScope, type ShootContext } from './shoot-context.ts';
import type { ShootCommand, ShootEvent, ShootInput, ShootNote, ShootState } from './shoot-language.ts';
import { shootMachine } from './shoot.ts';
import type { WeederContext } from './weeder-context.ts';
import type { WeederCommand, WeederEvent, WeederInput, WeederNote, WeederState } from './weeder-language.ts';
import { weederMachine } from './weeder.ts';
import { weederWakeAt } from './weeder-window.ts';

export type ShootLanguage = Readonly<{
  Kind: 'shoot';
  Subject: ShootNamespace;
  Input: ShootInput;
  Event: ShootEvent;
  State: ShootState;
  Context: ShootContext;
  Command: Exclude<ShootCommand, { type: 'note' }>;
  Note: ShootNote;
}>;

export type WeederLanguage = Readonly<{
  Kind: 'weeder';
  Subject: ServiceKey;
  Input: WeederInput;
  Event: WeederEvent;
  State: WeederState;
  Context: WeederContext;
  Command: Exclude<WeederCommand, { type: 'note' }>;
  Note: WeederNote;
}>;

/**
 * Every kind of machine there is. Whatever differs from one to the other stands in a table `{ [Kind in keyof Languages]: … }`,
 * so that nothing compiles until each table has an entry for a new one.
 */
export type Languages = { shoot: ShootLanguage; weeder: WeederLanguage };

export type ShootSnapshot = SnapshotFrom<typeof shootMachine>;
export type ShootOutcome = OutcomeOf<ShootLanguage, ShootSnapshot>;
export type WeederSnapshot = SnapshotFrom<typeof weederMachine>;
export type WeederOutcome = OutcomeOf<WeederLanguage, WeederSnapshot>;

export function shootWakeAt({ value, context }: ShootSnapshot): Instant | undefined {
  const probe =
    value.probe === 'off' ? undefined : value.probe === 'resting' ? probeDueAt(context) : probeLostAt(context);
  const flow = context.flow === null ? undefined : flowWakeAt(context.flow, flowScope(context));
  const isDown = value.shield === 'scalingDown' || value.shield === 'scaledDown';
  return earliest([probe, flow, isDown ? recheckAt(context) : undefined]);
}

export const pureMachines = {
  shoot: pureMachine<ShootLanguage, typeof shootMachine>(shootMachine, {
    wakeAt: shootWakeAt,
    stateOf: ({ value }) => value.shield,
  }),
  weeder: pureMachine<WeederLanguage, typeof weederMachine>(weederMachine, {
    wakeAt: ({ value, context }) => weederWakeAt(context, value === 'recovering'),
    stateOf: ({ value }) => value,
  }),
} satisfies { [Kind in keyof Languages]: PureMachine<Languages[Kind]> };
