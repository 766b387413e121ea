import type { Observable } from 'rxjs';

/** Leads each command to the effect of its name. */
export function carryOutBy<Command extends Readonly<{ type: string; params: unknown }>, Event>(
  effects: Readonly<{
    [Name in Command['type']]: (params: Extract<Command, { type: Name }>['params']) => Observable<Event>;
  }>,
): (command: Command) => Observable<Event> {
  return ({ type, params }) => effects[type as Command['type']](params);
}
