import { BadQuery } from './asked-span.ts';
import type { StatelyMachine } from './stately-messages.ts';

/** The machines that a reader asked for; undefined for all. */
export type StatelyChoice = readonly StatelyMachine[] | undefined;

/** One reader may follow so many machines. Stately's page draws each of them. */
export const mostFollowed = 100;

/** `?shoot=NAME&service=NAMESPACE/NAME`, each as often as one likes. Throws BadQuery. */
export function statelyChoice(query: URLSearchParams, others: readonly string[] = []): StatelyChoice {
  const known = ['shoot', 'service', ...others];
  const wrong = [...query.keys()].find((name) => !known.includes(name));
  if (wrong !== undefined) throw new BadQuery(`nothing is called ${wrong} here; there is ${known.join(', ')}`);
  const chosen: readonly StatelyMachine[] = [
    ...query.getAll('shoot').map((subject) => ({ kind: 'shoot', subject }) as const),
    ...query.getAll('service').map((subject) => ({ kind: 'weeder', subject }) as const),
  ];
  if (chosen.length > mostFollowed) throw new BadQuery(`at most ${mostFollowed} machines are told at once`);
  return chosen.length === 0 ? undefined : chosen;
}
